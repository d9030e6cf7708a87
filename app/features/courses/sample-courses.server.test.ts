import { readdir } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { sampleCourseIds } from './sample-courses.server'

it('the sample courses are those in the content folder of Learnify', async () => {
  const folders = await readdir('content/courses')
  expect(sampleCourseIds).toEqual(folders.toSorted())
})
