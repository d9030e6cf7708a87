/**
 * The databases of the current test file, which are dropped after the file. The list is in a file
 * of its own so that tests without a database load no database code.
 */
export const openDatabases: { end(): Promise<void> }[] = []
