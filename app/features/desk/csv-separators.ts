/** The characters that may separate the fields of a downloaded table, by their names in forms. */
export const separatorCharacters = { comma: ',', semicolon: ';', tab: '\t' } as const

export type CsvSeparator = keyof typeof separatorCharacters

export const csvSeparators = Object.keys(separatorCharacters) as CsvSeparator[]

/** Returns null for a name that is not the name of a separator. */
export function parseCsvSeparator(name: unknown): CsvSeparator | null {
  return csvSeparators.find((separator) => separator === name) ?? null
}
