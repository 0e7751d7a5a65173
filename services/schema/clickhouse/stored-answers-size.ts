import { setting } from '../../shared/config/setting.ts';

/** The query service stores answers up to this size, and the metadata service removes old ones before it is reached. */
export const storedAnswersSizeSetting = setting.number(
  'STORED_ANSWERS_BYTES',
  'The size of the table stored_answers in ClickHouse, from which old answers are removed; 0: none are stored or used. The same in both services.',
  1_073_741_824,
);
