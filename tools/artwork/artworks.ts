/** Lists all artworks: covers, portraits, videos and the pictures of the brand. */
import { readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import sharp from 'sharp'
import { parse } from 'yaml'
import { drawMark, drawSharePicture } from './brand.ts'
import { drawCover } from './covers.ts'
import type { Artwork } from './generated-files.ts'
import { drawGlobe } from './globe.ts'
import { drawPortrait } from './portraits.ts'
import { makeVideo } from './video.ts'

const maxCoverBytes = 6 * 1024
/** The width of a cover's drawing, and the resolution at which sharp draws it at that width. */
const coverWidth = 640
const pixelsPerInch = 72
const coverPictures = [
  { fileName: 'cover.webp', width: 640 },
  { fileName: 'cover-1280.webp', width: 1280 },
]

/** Lists the cover of each course. */
export async function listCovers(content: string): Promise<Artwork[]> {
  const courses = await listCourses(content)

  return courses.map(({ slug, category }) => {
    const svg = drawCover(slug, category)
    const fileNames = ['cover.svg', ...coverPictures.map(({ fileName }) => fileName)]

    return {
      name: slug,
      source: svg,
      files: fileNames.map((fileName) => `courses/${slug}/${fileName}`),
      generate: (folder) => writeCover(svg, folder),
    }
  })
}

async function writeCover(svg: string, folder: string): Promise<void> {
  const bytes = Buffer.byteLength(svg)
  if (bytes > maxCoverBytes) {
    throw new Error(`The drawing has ${bytes} bytes, more than ${maxCoverBytes}.`)
  }

  await writeFile(path.join(folder, 'cover.svg'), svg)
  for (const { fileName, width } of coverPictures) {
    const density = (pixelsPerInch * width) / coverWidth
    await sharp(Buffer.from(svg), { density })
      .resize(width)
      .webp({ quality: 82, effort: 6 })
      .toFile(path.join(folder, fileName))
  }
}

/** Lists the portrait of each instructor. */
export async function listPortraits(content: string): Promise<Artwork[]> {
  const courses = await listCourses(content)
  const names = new Set(courses.flatMap(({ portrait }) => portrait ?? []))

  return [...names].sort().map((name) => {
    const svg = drawPortrait(name)

    return {
      name,
      source: svg,
      files: [`instructors/${name}.webp`],
      generate: (folder) =>
        sharp(Buffer.from(svg), { density: 144 })
          .resize(320)
          .webp({ quality: 84, effort: 6 })
          .toFile(path.join(folder, `${name}.webp`)),
    }
  })
}

/** Lists the video of each storyboard. Videos without a storyboard belong to the operator. */
export async function listVideos(content: string): Promise<Artwork[]> {
  const videos: Artwork[] = []
  for (const { slug, category } of await listCourses(content)) {
    const videoFolder = `courses/${slug}/videos`
    const fileNames = await readdir(path.join(content, videoFolder)).catch(() => [])
    const storyboards = fileNames.filter((fileName) => /^[^.].*\.yaml$/.test(fileName)).sort()

    for (const storyboard of storyboards) {
      const name = storyboard.replace(/\.yaml$/, '')
      const storyboardFile = path.join(content, videoFolder, storyboard)
      videos.push({
        name: `${slug}/${name}`,
        course: slug,
        source: await readFile(storyboardFile, 'utf8'),
        files: ['webm', 'mp4', 'vtt', 'webp'].map((ending) => `${videoFolder}/${name}.${ending}`),
        generate: (folder) =>
          makeVideo({
            storyboard: storyboardFile,
            slug,
            category,
            base: path.join(folder, name),
          }),
      })
    }
  }

  return videos
}

type Course = {
  slug: string
  category?: string
  /** The name of the instructor's portrait. */
  portrait?: string
}

async function listCourses(content: string): Promise<Course[]> {
  const courseFolder = path.join(content, 'courses')
  const entries = await readdir(courseFolder, { withFileTypes: true }).catch(() => [])
  const slugs = entries
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map(({ name }) => name)

  return Promise.all(
    slugs.sort().map(async (slug) => {
      const courseFile = path.join(courseFolder, slug, 'course.yaml')
      const text = await readFile(courseFile, 'utf8').catch(() => '')
      const { category, instructor } = parse(text) ?? {}

      return { slug, category, portrait: instructor?.image }
    }),
  )
}

/** Lists the mark, the icons, the share picture and the globe. */
export async function listBrandPictures(): Promise<Artwork[]> {
  const mark = drawMark()
  const sharePicture = drawSharePicture()

  return [
    {
      name: 'mark',
      source: mark,
      files: ['favicon.svg'],
      generate: (folder) => writeFile(path.join(folder, 'favicon.svg'), mark),
    },
    createIcon('icon-192.png', 192, mark),
    createIcon('icon-512.png', 512, mark),
    createIcon('apple-touch-icon.png', 180, drawMark({ corner: 0, inset: 0.06 })),
    {
      name: 'share',
      source: sharePicture,
      files: ['og.png'],
      generate: (folder) =>
        sharp(Buffer.from(sharePicture))
          .png({ palette: true, colors: 256, effort: 10, compressionLevel: 9 })
          .toFile(path.join(folder, 'og.png')),
    },
    createGlobe('globe', { theme: 'light', quality: 20 }),
    createGlobe('globe-dark', { theme: 'dark', quality: 26 }),
  ]
}

/** @param mark the drawing of the mark, which is 32 pixels wide */
function createIcon(fileName: string, size: number, mark: string): Artwork {
  return {
    name: fileName,
    source: mark,
    files: [fileName],
    generate: (folder) =>
      sharp(Buffer.from(mark), { density: (pixelsPerInch * size) / 32 })
        .resize(size)
        .png({ compressionLevel: 9, effort: 10 })
        .toFile(path.join(folder, fileName)),
  }
}

function createGlobe(
  name: string,
  { theme, quality }: { theme: 'light' | 'dark'; quality: number },
): Artwork {
  const svg = drawGlobe(theme)

  return {
    name,
    source: svg,
    files: [`images/${name}.svg`, `images/${name}.webp`],
    async generate(folder) {
      await writeFile(path.join(folder, `${name}.svg`), svg)
      await sharp(Buffer.from(svg))
        .webp({ quality, alphaQuality: 100, effort: 6 })
        .toFile(path.join(folder, `${name}.webp`))
    },
  }
}
