/** The value to store, and what it does not have of the original. */
export interface Conversion {
  readonly text: string;
  readonly change?: 'rounded' | 'no time of day';
}
