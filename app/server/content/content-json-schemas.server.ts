import * as z from 'zod'
import { courseFile } from './course-file.server'
import { demoLearnerFile } from './demo-learner-file.server'
import { examFile } from './exam-file.server'
import { categoriesFile, synonymsFile, testimonialsFile } from './site-files.server'

const schemas = {
  course: courseFile,
  exam: examFile,
  testimonials: testimonialsFile,
  categories: categoriesFile,
  'demo-learner': demoLearnerFile,
  synonyms: synonymsFile,
}

/**
 * The content files' shapes for editors, made of the very schemas that the loader checks by.
 *
 * @returns text by path, from the root of the checkout.
 */
export function contentJsonSchemas(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => {
      const json = z.toJSONSchema(schema, { io: 'input', target: 'draft-7' })
      return [`docs/schemas/${name}.json`, `${JSON.stringify(json, null, 2)}\n`]
    }),
  )
}
