/** Of numbers and dates: that of the browser. */
export const locale = Intl.DateTimeFormat().resolvedOptions().locale;
