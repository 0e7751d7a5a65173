import type {
  Agent,
  AgentChange,
  AgentMetadata,
  MetadataPeriod,
} from '../../../../openapi/client/index.ts';
import type { MetadataApi, Newest } from '../api/metadata-api.ts';
import type { ViewState } from '../state/view-state.ts';

/** An agent that was found, and what its parts of the page need to change it. */
export interface AgentContext {
  readonly api: MetadataApi;
  readonly view: ViewState;
  readonly agent: Agent;
  readonly current: AgentMetadata;
  readonly history: Newest<MetadataPeriod>;
  readonly changes: Newest<AgentChange>;
  /** Loads the agent again, and then shows a message. */
  readonly onChanged: (message: string) => Promise<void>;
  readonly onDenied: () => void;
}
