/**
 * `node tools/artwork/figures.ts [SLUG]` draws what is missing of the pictures in articles:
 * `courses/SLUG/figures/NAME.svg` becomes a WebP twice as wide. A browser draws them, because it
 * can set them in the product's own typeface.
 */
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { chromium, type Page } from '@playwright/test'
import sharp from 'sharp'
import { findTestBrowser } from '../../scripts/chromium.ts'
import { contentFolder } from './content-folder.ts'

const root = path.resolve(import.meta.dirname, '../..')
const courses = path.join(contentFolder, 'courses')

async function listMissing(slug: string): Promise<string[]> {
  const folder = path.join(courses, slug, 'figures')
  const files = await readdir(folder).catch(() => [])
  const drawings = files
    .filter((file) => file.endsWith('.svg'))
    .map((file) => path.join(folder, file))

  return drawings.filter((file) => !existsSync(file.replace(/svg$/, 'webp')))
}

async function fontFace() {
  const file = 'node_modules/@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2'
  const bytes = await readFile(path.join(root, file), 'base64')
  return `@font-face{font-family:Figtree;font-weight:300 900;src:url(data:font/woff2;base64,${bytes})}`
}

async function draw(page: Page, file: string, style: string): Promise<void> {
  await page.setContent(
    `<style>${style} body{margin:0} svg{display:block}</style>${await readFile(file, 'utf8')}`,
  )
  await page.evaluate(() => document.fonts.ready)
  const png = await page.locator('svg').screenshot()
  const { size } = await sharp(png)
    .webp({ quality: 82, effort: 6 })
    .toFile(file.replace(/svg$/, 'webp'))
  console.log(
    `made  ${path.relative(root, file).replace(/svg$/, 'webp')}  ${Math.ceil(size / 1024)} KB`,
  )
}

const slugs = process.argv[2] ? [process.argv[2]] : await readdir(courses)
const missing = (await Promise.all(slugs.map(listMissing))).flat()
const browser = await chromium.launch({
  executablePath: findTestBrowser() ?? undefined,
  args: ['--no-sandbox'],
})
const page = await browser.newPage({ deviceScaleFactor: 2, viewport: { width: 800, height: 800 } })
const style = await fontFace()
for (const file of missing) {
  await draw(page, file, style)
}

await browser.close()
