import * as z from 'zod/mini'
import { secondStepTexts } from './two-factor-messages'

const longestCode = 50

/** A code as an app shows it or a recovery code. */
export const codeForm = z.object({
  code: z.pipe(
    z.catch(z.string(), ''),
    z
      .string()
      .check(
        z.trim(),
        z.minLength(1, secondStepTexts.codeRequired),
        z.maxLength(longestCode, secondStepTexts.codeRequired),
      ),
  ),
})
