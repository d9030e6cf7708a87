/**
 * Makes every picture and video of the repository:
 *   node tools/artwork/make-media.mjs [covers|instructors|videos|brand|all] [--only SLUG]
 * Videos need `ffmpeg` (with libx264, libvpx-vp9 and libopus) on the PATH; the rest needs only `npm install`.
 */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { parse } from 'yaml'
import { drawMark, drawShare } from './brand.mjs'
import { coverSlugs, drawCover } from './covers.mjs'
import { drawGlobe } from './globe.mjs'
import { drawPortrait, portraitSlugs } from './portraits.mjs'
import { makeVideo } from './video.mjs'

const root = fileURLToPath(new URL('../../', import.meta.url))
const coverBytesLimit = 6 * 1024

async function makeCovers(only) {
  for (const slug of coverSlugs.filter((slug) => !only || slug === only)) {
    const folder = join(root, 'content/courses', slug)
    await mkdir(folder, { recursive: true })
    const svg = drawCover(slug)
    if (Buffer.byteLength(svg) > coverBytesLimit)
      throw new Error(`The cover of ${slug} is ${Buffer.byteLength(svg)} bytes, more than ${coverBytesLimit}.`)
    await writeFile(join(folder, 'cover.svg'), svg)
    for (const [name, width] of [
      ['cover.webp', 640],
      ['cover-1280.webp', 1280],
    ]) {
      const picture = sharp(Buffer.from(svg), { density: (72 * width) / 640 }).resize(width)
      await picture.webp({ quality: 82, effort: 6 }).toFile(join(folder, name))
    }
    console.log(`cover ${slug}`)
  }
}

/** Everyone the courses name, and everyone a portrait was designed for. */
async function instructorSlugs() {
  const courses = await readdir(join(root, 'content/courses'))
  const texts = await Promise.all(
    courses.map((slug) => readFile(join(root, 'content/courses', slug, 'course.yaml'), 'utf8').catch(() => '')),
  )
  return [...new Set([...portraitSlugs, ...texts.map((text) => parse(text)?.instructor?.image).filter(Boolean)])].sort()
}

async function makeInstructors(only) {
  const folder = join(root, 'content/instructors')
  await mkdir(folder, { recursive: true })
  for (const slug of (await instructorSlugs()).filter((slug) => !only || slug === only)) {
    await sharp(Buffer.from(drawPortrait(slug)), { density: 144 })
      .resize(320)
      .webp({ quality: 84, effort: 6 })
      .toFile(join(folder, `${slug}.webp`))
    console.log(`portrait ${slug}`)
  }
}

async function makeBrand() {
  const folder = join(root, 'public')
  await mkdir(join(folder, 'images'), { recursive: true })
  await writeFile(join(folder, 'favicon.svg'), drawMark())
  const icon = (options, size, name) =>
    sharp(Buffer.from(drawMark(options)), { density: (72 * size) / 32 })
      .resize(size)
      .png({ compressionLevel: 9, effort: 10 })
      .toFile(join(folder, name))
  await icon({}, 192, 'icon-192.png')
  await icon({}, 512, 'icon-512.png')
  await icon({ corner: 0, inset: 0.06 }, 180, 'apple-touch-icon.png')
  await sharp(Buffer.from(drawShare()))
    .png({ palette: true, colors: 256, effort: 10, compressionLevel: 9 })
    .toFile(join(folder, 'og.png'))
  for (const [theme, name, quality] of [
    ['light', 'globe', 20],
    ['dark', 'globe-dark', 26],
  ]) {
    const svg = drawGlobe(theme)
    await writeFile(join(folder, 'images', `${name}.svg`), svg)
    await sharp(Buffer.from(svg))
      .webp({ quality, alphaQuality: 100, effort: 6 })
      .toFile(join(folder, 'images', `${name}.webp`))
  }
  console.log('brand: mark, icons, share picture, globe')
}

/** `only` is a course or `COURSE/VIDEO`. */
async function makeVideos(only) {
  for (const slug of coverSlugs) {
    const folder = join(root, 'content/courses', slug, 'videos')
    const files = await readdir(folder).catch(() => [])
    for (const file of files.filter((file) => file.endsWith('.yaml')).sort()) {
      const name = file.replace(/\.yaml$/, '')
      if (only && only !== slug && only !== `${slug}/${name}`) continue
      const started = Date.now()
      await makeVideo(join(folder, file), slug, name)
      console.log(`video ${slug}/${name} in ${((Date.now() - started) / 1000).toFixed(1)} s`)
    }
  }
}

const makers = { covers: makeCovers, instructors: makeInstructors, brand: makeBrand, videos: makeVideos }

const [what = 'all'] = process.argv
  .slice(2)
  .filter((word, i, words) => !word.startsWith('--') && words[i - 1] !== '--only')
const onlyAt = process.argv.indexOf('--only')
const only = onlyAt > 0 ? process.argv[onlyAt + 1] : undefined
if (what !== 'all' && !makers[what]) {
  console.error(`Unknown kind of media: ${what}. Known: ${Object.keys(makers).join(', ')}, all.`)
  process.exit(2)
}
for (const [name, make] of Object.entries(makers)) if (what === 'all' || what === name) await make(only)
