import { writeFormulasAsText } from '~/server/markdown/formula-text.server'
import { line } from '~/server/validation/content-fields'

/**
 * A title or another text in one line. It is also shown in tabs, emails, search results and on
 * certificates, which can't draw formulas, so its formulas are stored as readable text.
 */
export const readableLine = (maxLength: number) => line(maxLength).overwrite(writeFormulasAsText)
