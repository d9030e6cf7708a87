/** Made-up courses beside those of the content, in a database of their own. */
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { connectDatabase, startProduct } from '../tests/support/product.ts'
import { createSampleCourse } from './sample-courses.ts'

const coursesAtOnce = 1_000
const instructors = path.resolve(import.meta.dirname, '../content/instructors')

/**
 * Adds the same courses each time to a database whose product is running.
 *
 * @param folder its DATA_DIR.
 */
export async function fillCatalog(folder: string, count: number): Promise<void> {
  const portraits = readdirSync(instructors)
    .filter((name) => name.endsWith('.webp'))
    .map((name) => path.parse(name).name)
  const database = await connectDatabase({ folder })
  for (let from = 0; from < count; from += coursesAtOnce) {
    const length = Math.min(coursesAtOnce, count - from)
    const courses = Array.from({ length }, (_, at) => createSampleCourse(from + at, portraits))
    const columns = Object.keys(courses[0] ?? {}).join(', ')
    await database.query(
      `insert into courses (${columns}) select ${columns} from jsonb_populate_recordset(null::courses, $1::text::jsonb)`,
      [JSON.stringify(courses)],
    )
  }

  await database.end()
}

/**
 * Makes the database: the product makes its tables, and its next start prepares the search.
 *
 * @returns seconds of that.
 */
export async function createCatalog(folder: string, count: number): Promise<number> {
  const first = await startProduct({ folder })
  await fillCatalog(folder, count)
  await first.stop()
  const began = performance.now()
  const second = await startProduct({ folder, startTimeoutSeconds: 1_800 })
  await second.stop()

  return (performance.now() - began) / 1000
}
