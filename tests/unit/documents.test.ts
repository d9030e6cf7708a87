import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { listHeadingAnchors } from '~/server/markdown/heading-anchors.server'

const documents = [
  ...readdirSync('.'),
  ...readdirSync('docs', { recursive: true, encoding: 'utf8' }).map((name) => `docs/${name}`),
  'tools/artwork/README.md',
].filter((name) => name.endsWith('.md'))

/** Lists the links and pictures of a document, except those on other sites. */
function listLinks(document: string): { file: string; anchor: string }[] {
  const text = readFileSync(document, 'utf8').replaceAll(/```[\s\S]*?```|`[^`]*`/g, '')
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, target = '']) => {
    const [file = '', anchor = ''] = target.split('#')
    if (/^[a-z]+:/.test(target)) {
      return []
    }

    return [{ file: file ? path.join(path.dirname(document), file) : document, anchor }]
  })
}

function isBroken({ file, anchor }: { file: string; anchor: string }): boolean {
  if (!existsSync(file)) {
    return true
  }

  return anchor !== '' && !listHeadingAnchors(readFileSync(file, 'utf8')).includes(anchor)
}

test('every link leads to a file and a heading that exist', () => {
  const links = documents.flatMap((document) =>
    listLinks(document).map((link) => ({ document, ...link })),
  )

  expect(links.length).toBeGreaterThan(50)
  expect(links.filter(isBroken)).toEqual([])
})

test('programs and files that the documents name by their path exist', () => {
  const namedFiles = documents.flatMap((document) =>
    [
      ...readFileSync(document, 'utf8').matchAll(
        /`(?:node )?((?:app|bench|docs|scripts|tests|tools)\/[\w./-]+\.\w+)/g,
      ),
    ].map(([, file = '']) => ({ document, file })),
  )

  expect(namedFiles.length).toBeGreaterThan(50)
  expect(namedFiles.filter(({ file }) => !existsSync(file))).toEqual([])
})
