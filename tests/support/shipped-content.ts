import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

const shippedCourseIds = [
  'business-strategy-essentials',
  'complete-web-development',
  'content-and-search',
  'data-structures-and-algorithms',
  'design-systems-that-last',
  'digital-marketing-essentials',
  'financial-modelling',
  'interface-design-fundamentals',
  'machine-learning-foundations',
  'photography-light-and-composition',
  'project-management-in-practice',
  'python-from-zero',
  'typography-for-screens',
]

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
  return !isCourseFolder || shippedCourseIds.includes(path.basename(sourcePath))
}
