/** Adds generated courses to the database of a product, beside the courses of its content. */
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { connectDatabase, startProduct } from '../tests/support/product.ts'
import { createSampleCourse } from './sample-courses.ts'

const coursesPerInsert = 1_000
const instructorFolder = path.resolve(import.meta.dirname, '../content/instructors')

/**
 * Creates a new database with generated courses. The first start of the product creates the tables,
 * and the second start prepares the search.
 *
 * @returns the seconds of the second start and stop
 */
export async function createCatalog(folder: string, courseCount: number): Promise<number> {
  const firstProduct = await startProduct({ folder })
  await fillCatalog(folder, courseCount)
  await firstProduct.stop()

  const startedAt = performance.now()
  const secondProduct = await startProduct({ folder, startTimeoutSeconds: 1_800 })
  await secondProduct.stop()

  return (performance.now() - startedAt) / 1000
}

/**
 * Adds generated courses, which are the same every time. The product has to be running.
 *
 * @param folder the product's DATA_DIR
 */
export async function fillCatalog(folder: string, courseCount: number): Promise<void> {
  const portraits = readdirSync(instructorFolder)
    .filter((fileName) => fileName.endsWith('.webp'))
    .map((fileName) => path.parse(fileName).name)
  const database = await connectDatabase({ folder })

  for (let firstRank = 0; firstRank < courseCount; firstRank += coursesPerInsert) {
    const length = Math.min(coursesPerInsert, courseCount - firstRank)
    const courses = Array.from({ length }, (_, index) =>
      createSampleCourse(firstRank + index, portraits),
    )
    const columns = Object.keys(courses[0] ?? {}).join(', ')
    await database.query(
      `insert into courses (${columns})
       select ${columns} from jsonb_populate_recordset(null::courses, $1::text::jsonb)`,
      [JSON.stringify(courses)],
    )
  }

  await database.end()
}
