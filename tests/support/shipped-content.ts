import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sampleCourseIds } from '../../app/features/courses/sample-courses.server'

const coursesFolder = path.join('content', 'courses')

/**
 * Copies `content/` with only the courses that Learnify comes with. A school that keeps its own
 * courses in `content/` can therefore run the tests.
 */
export async function copyShippedContent() {
  const folder = await mkdtemp(path.join(tmpdir(), 'learnify-content-'))
  await cp('content', folder, { recursive: true, filter: isShipped })

  return {
    folder,
    remove: () => rm(folder, { recursive: true }),
  }
}

function isShipped(sourcePath: string): boolean {
  const isCourseFolder = path.dirname(sourcePath) === coursesFolder
  return !isCourseFolder || sampleCourseIds.includes(path.basename(sourcePath))
}
