import * as z from 'zod'
import { commonLessonFields, type LessonFormat, noMaterial } from '../lesson-format.server'

/** A lesson of which only the title and the length are known yet. */
const schema = z.strictObject({
  kind: z.literal('announced'),
  ...commonLessonFields,
  preview: z.literal(false).default(false),
})

export const announcedFormat = {
  schema,

  listTextFiles() {
    return []
  },

  async read() {
    return null
  },

  listQuestions() {
    return []
  },

  getStoredMaterial() {
    return noMaterial
  },
} satisfies LessonFormat<z.infer<typeof schema>>
