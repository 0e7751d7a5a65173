/** Settings without which the text would mean something else. Limits are set when it is run. */
export const semanticSettings: readonly string[] = [
  // Safe, since dtime is in the key and decides the partition; FINAL is several times faster.
  'do_not_merge_across_partitions_select_final = 1',
  // A column of the response, such as a custom field called "mean", must not hide a column in the text.
  'prefer_column_name_to_alias = 1',
  // Counts are JSON numbers.
  'output_format_json_quote_64bit_integers = 0',
];
