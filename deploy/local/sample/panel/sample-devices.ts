export type AgentKind = 'whitebox' | 'cpe' | 'mobile' | 'web';

/** Device models of each kind: the column `base`. */
export const deviceModels: Readonly<Record<AgentKind, readonly string[]>> = {
  whitebox: ['NP-Whitebox 8', 'NP-Whitebox 8', 'NP-Whitebox 7'],
  cpe: ['Gateway G4', 'Router AX6000'],
  mobile: ['Pixel 9', 'Galaxy S25', 'iPhone 16', 'Xperia 5'],
  web: ['Browser'],
};

/** Reports a download as one row per 5 seconds, as every device did before 2013. */
export const legacyModel = 'NP-Whitebox 1';

export interface SamplePhone {
  readonly manufacturer: string;
  readonly operatingSystem: string;
  readonly operatingSystemVersion: string;
}

const phones: Readonly<Record<string, SamplePhone>> = {
  'Pixel 9': phone('Google', 'Android', '16'),
  'Galaxy S25': phone('Samsung', 'Android', '15'),
  'iPhone 16': phone('Apple', 'iOS', '26.1'),
  'Xperia 5': phone('Sony', 'Android', '14'),
};

/** The phone fields that the app reports for a model; empty for other devices. */
export function phoneOf(model: string): SamplePhone {
  return phones[model] ?? phone('', '', '');
}

function phone(
  manufacturer: string,
  operatingSystem: string,
  operatingSystemVersion: string,
): SamplePhone {
  return { manufacturer, operatingSystem, operatingSystemVersion };
}
