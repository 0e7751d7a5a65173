import type { NamedCommand } from './command.ts';

/** Every command of `netpanel`, in the order of its help. A command loads only its own modules. */
export const commands: readonly NamedCommand[] = [
  { name: 'migrate', load: async () => (await import('./migrate.ts')).migrateCommand },
  { name: 'org', load: async () => (await import('./org.ts')).orgCommand },
  { name: 'token', load: async () => (await import('./token.ts')).tokenCommand },
  { name: 'isp', load: async () => (await import('./package.ts')).ispCommand },
  { name: 'package', load: async () => (await import('./package.ts')).packageCommand },
  { name: 'grant', load: async () => (await import('./grant.ts')).grantCommand },
  { name: 'agents', load: async () => (await import('./agents.ts')).agentsCommand },
  { name: 'sets', load: async () => (await import('./sets.ts')).setsCommand },
  { name: 'weights', load: async () => (await import('./weights.ts')).weightsCommand },
  { name: 'load', load: async () => (await import('./load.ts')).loadCommand },
  { name: 'load-mba', load: async () => (await import('./load-mba.ts')).loadMbaCommand },
  { name: 'presets', load: async () => (await import('./presets.ts')).presetsCommand },
  { name: 'watch', load: async () => (await import('./watch.ts')).watchCommand },
  { name: 'snapshot', load: async () => (await import('./snapshot.ts')).snapshotCommand },
  { name: 'query', load: async () => (await import('./query.ts')).queryCommand },
  { name: 'explain', load: async () => (await import('./explain.ts')).explainCommand },
  { name: 'export', load: async () => (await import('./export.ts')).exportCommand },
  { name: 'audit', load: async () => (await import('./audit.ts')).auditCommand },
  { name: 'retention', load: async () => (await import('./retention.ts')).retentionCommand },
  { name: 'doctor', load: async () => (await import('./doctor.ts')).doctorCommand },
  {
    name: 'completion',
    load: async () => (await import('./completion.ts')).completionCommand(commands),
  },
];
