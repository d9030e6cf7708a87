/**
 * The databases of the test file that runs, to be dropped after it. Apart, so that most tests load
 * no database code.
 */
export const openDatabases: { end(): Promise<void> }[] = []
