import { setting } from '../../shared/config/setting.ts';

/** The query service stores answers up to this size, and the metadata service removes old ones before it is reached. */
export const storedAnswersSizeSetting = setting.number(
  'STORED_ANSWERS_BYTES',
  'Maximum size of the table stored_answers in ClickHouse, in bytes: old answers are removed before it is reached; 0: none are stored or used. Must be the same in both services.',
  1_073_741_824,
);
