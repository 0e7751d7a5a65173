/** How the files of a release of some years look. */
export interface ReleaseStyle {
  /** `curr_ping_2014_01.csv` */
  readonly hasMonthInName: boolean;
  readonly hasHeader: boolean;
  /** The column ddate, after dtime. */
  readonly hasDate: boolean;
  /** The column location_id, at the end. */
  readonly hasLocation: boolean;
  /** Rows of a download or upload. */
  readonly sequences: number;
  /** The unit profile is a workbook, with units that are marked REMOVE, and there is a list of excluded units. */
  readonly hasWorkbooks: boolean;
}

const year2014: ReleaseStyle = {
  hasMonthInName: true,
  hasHeader: false,
  hasDate: false,
  hasLocation: true,
  sequences: 1,
  hasWorkbooks: true,
};

export const latestStyle: ReleaseStyle = {
  hasMonthInName: false,
  hasHeader: true,
  hasDate: true,
  hasLocation: false,
  sequences: 1,
  hasWorkbooks: false,
};

/** By a year that has it. */
export const releaseStyles: Readonly<Record<string, ReleaseStyle>> = {
  2011: { ...year2014, sequences: 6 },
  2014: year2014,
  2021: latestStyle,
};
