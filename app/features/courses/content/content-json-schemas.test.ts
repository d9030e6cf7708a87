import path from 'node:path'
import { expect, it } from 'vitest'
import { createContentJsonSchemas } from './content-json-schemas.server'

it.each(Object.entries(createContentJsonSchemas()))(
  '%s is what `npm run content -- schemas` writes',
  async (file, text) => {
    await expect(text).toMatchFileSnapshot(path.resolve(file))
  },
)

it('lets a course leave out what has a default, and nothing else', () => {
  const schema = JSON.parse(createContentJsonSchemas()['docs/schemas/course.json'] ?? '')

  expect(schema.required).toContain('title')
  expect(schema.required).not.toContain('published')
  expect(schema.additionalProperties).toBe(false)
})
