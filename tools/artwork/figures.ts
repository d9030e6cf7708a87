/**
 * `node tools/artwork/figures.ts [SLUG]`: draws the missing pictures of articles. The drawing
 * `courses/SLUG/figures/NAME.svg` becomes a WebP that is twice as wide. A browser draws the
 * pictures, because it can use the product's own typeface.
 */
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { chromium, type Page } from '@playwright/test'
import sharp from 'sharp'
import { findTestBrowser } from '../../scripts/chromium.ts'
import { contentFolder } from './content-folder.ts'

const root = path.resolve(import.meta.dirname, '../..')
const courseFolder = path.join(contentFolder, 'courses')
const fontFile = 'node_modules/@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2'

const slugs = process.argv[2] ? [process.argv[2]] : await readdir(courseFolder)
const missingFigures = (await Promise.all(slugs.map(listMissingFigures))).flat()

const browser = await chromium.launch({
  executablePath: findTestBrowser() ?? undefined,
  args: ['--no-sandbox'],
})
const page = await browser.newPage({ deviceScaleFactor: 2, viewport: { width: 800, height: 800 } })
const fontStyle = await createFontStyle()
for (const svgFile of missingFigures) {
  await drawFigure(page, svgFile, fontStyle)
}

await browser.close()

/** Lists the drawings of a course that have no WebP yet. */
async function listMissingFigures(slug: string): Promise<string[]> {
  const folder = path.join(courseFolder, slug, 'figures')
  const fileNames = await readdir(folder).catch(() => [])
  const svgFiles = fileNames
    .filter((fileName) => fileName.endsWith('.svg'))
    .map((fileName) => path.join(folder, fileName))

  return svgFiles.filter((svgFile) => !existsSync(getWebpFile(svgFile)))
}

async function createFontStyle(): Promise<string> {
  const font = await readFile(path.join(root, fontFile), 'base64')
  return `@font-face{font-family:Figtree;font-weight:300 900;src:url(data:font/woff2;base64,${font})}`
}

async function drawFigure(page: Page, svgFile: string, fontStyle: string): Promise<void> {
  const svg = await readFile(svgFile, 'utf8')
  await page.setContent(`<style>${fontStyle} body{margin:0} svg{display:block}</style>${svg}`)
  await page.evaluate(() => document.fonts.ready)
  const png = await page.locator('svg').screenshot()

  const webpFile = getWebpFile(svgFile)
  const { size } = await sharp(png).webp({ quality: 82, effort: 6 }).toFile(webpFile)
  console.log(`made  ${path.relative(root, webpFile)}  ${Math.ceil(size / 1024)} KB`)
}

function getWebpFile(svgFile: string): string {
  return svgFile.replace(/svg$/, 'webp')
}
