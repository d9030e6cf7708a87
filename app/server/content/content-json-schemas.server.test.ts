import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { contentJsonSchemas } from './content-json-schemas.server'

it.each(Object.entries(contentJsonSchemas()))('%s is what `npm run content schemas` writes', (file, text) => {
  expect(readFileSync(file, 'utf8')).toBe(text)
})

it('lets a course leave out what has a default, and nothing else', () => {
  const schema = JSON.parse(contentJsonSchemas()['docs/schemas/course.json'] ?? '')
  expect(schema.required).toContain('title')
  expect(schema.required).not.toContain('published')
  expect(schema.additionalProperties).toBe(false)
})
