import * as z from 'zod'
import { longestReport, reportReasons, reportTexts } from './report-messages'

export const reportForm = z.object({
  reason: z.enum(reportReasons, reportTexts.choose),
  comment: z
    .string()
    .transform((text) => text.replaceAll('\r\n', '\n').replaceAll('\0', '').trim())
    .pipe(z.string().max(longestReport, reportTexts.tooLong))
    .default(''),
})

export type ReportForm = z.infer<typeof reportForm>
