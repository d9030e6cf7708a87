import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { env } from '~/server/env.server'
import { readContent } from './content-files.server'
import { readOperatorPage } from './site-files.server'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'learnify-pages-'))
  await cp(env.CONTENT_DIR, folder, { recursive: true })
  await rm(path.join(folder, 'pages'), { recursive: true })
})
afterAll(() => rm(folder, { recursive: true }))

it("an operator's page is shown, and the one that comes with Learnify where there is none", async () => {
  expect(await readOperatorPage('terms', folder)).toContain('## Your account')

  await mkdir(path.join(folder, 'pages'))
  await writeFile(path.join(folder, 'pages/terms.md'), 'Be kind.')
  expect(await readOperatorPage('terms', folder)).toBe('Be kind.')
  expect(await readOperatorPage('privacy', folder)).toContain('## What we store')
})

it('a page that is empty, or that nothing links to, is a problem of the content', async () => {
  await writeFile(path.join(folder, 'pages/privacy.md'), '')
  await writeFile(path.join(folder, 'pages/imprint.md'), 'We are we.')
  const { problems } = await readContent(folder)

  expect(problems).toEqual([
    expect.stringMatching(
      /pages\/imprint\.md: There is no page of this name\. Use terms\.md or privacy\.md\./,
    ),
    expect.stringMatching(/pages\/privacy\.md: The file is empty\./),
  ])
})

it('a page that becomes too large to be shown is a problem of the content', async () => {
  const table = `||||||\n|-|-|-|-|-|\n${'||\n'.repeat(2_000)}`
  await rm(path.join(folder, 'pages'), { recursive: true, force: true })
  await mkdir(path.join(folder, 'pages'))
  await writeFile(path.join(folder, 'pages/terms.md'), table)
  const { problems } = await readContent(folder)

  expect(problems).toEqual([
    expect.stringMatching(/pages\/terms\.md.*: This text becomes too large/),
  ])
})
