import * as z from 'zod'
import { courseCategories, line, slug } from './content-fields'

/** `content/testimonials.yaml`. */
export const testimonialsFile = z
  .array(z.strictObject({ rating: z.int().min(1).max(5), text: line(1000), name: line(80), role: line(120) }))
  .max(500)

/** `content/synonyms.yaml`, which may be missing: words and phrases that mean the same to a search, a list for each meaning. */
export const synonymsFile = z.array(z.array(line(60)).min(2).max(20)).max(2_000)

/** `content/categories.yaml`: the cards of the home page. `catalogue` is the catalogue category they lead to, if any. */
export const categoriesFile = z
  .array(
    z.strictObject({ name: line(60), courses: line(20), icon: slug, catalogue: z.enum(courseCategories).optional() }),
  )
  .max(500)
