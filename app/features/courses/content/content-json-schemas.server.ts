import * as z from 'zod'
import { courseFileSchema } from './course-file.server'
import { demoLearnerSchema } from './demo-learner-file.server'
import { examFileSchema } from './exam-file.server'
import { categoriesSchema, synonymsSchema, testimonialsSchema } from './site-files.server'

/** The schema of each kind of content file, by the name of its JSON Schema. */
const schemas = {
  course: courseFileSchema,
  exam: examFileSchema,
  testimonials: testimonialsSchema,
  categories: categoriesSchema,
  'demo-learner': demoLearnerSchema,
  synonyms: synonymsSchema,
}

/**
 * Creates the JSON Schemas with which editors check content files, from the schemas with which the
 * files are read.
 *
 * @returns the text of each file, by its path in the repository
 */
export function createContentJsonSchemas(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => {
      const jsonSchema = z.toJSONSchema(schema, { io: 'input', target: 'draft-7' })
      return [`docs/schemas/${name}.json`, `${JSON.stringify(jsonSchema, null, 2)}\n`]
    }),
  )
}
