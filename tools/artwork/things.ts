/** Everything that can be made, each with what it is drawn from and the files that it becomes. */
import { readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import sharp from 'sharp'
import { parse } from 'yaml'
import { drawMark, drawShare } from './brand.ts'
import { drawCover } from './covers.ts'
import { drawGlobe } from './globe.ts'
import type { Thing } from './made-files.ts'
import { drawPortrait } from './portraits.ts'
import { makeVideo } from './video.ts'

const coverBytesLimit = 6 * 1024

type Course = { slug: string; category?: string; portrait?: string }

/** Every course's folder, with what its file says of pictures. */
async function listCourses(content: string): Promise<Course[]> {
  const entries = await readdir(path.join(content, 'courses'), { withFileTypes: true }).catch(
    () => [],
  )
  const courses = entries
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map(({ name }) => name)

  return Promise.all(
    courses.sort().map(async (slug) => {
      const text = await readFile(path.join(content, 'courses', slug, 'course.yaml'), 'utf8').catch(
        () => '',
      )
      const { category, instructor } = parse(text) ?? {}
      return { slug, category, portrait: instructor?.image }
    }),
  )
}

export async function coverThings(content: string): Promise<Thing[]> {
  const courses = await listCourses(content)
  return courses.map(({ slug, category }) => {
    const svg = drawCover(slug, category)
    const make = async (folder: string) => {
      if (Buffer.byteLength(svg) > coverBytesLimit) {
        throw new Error(
          `The drawing has ${Buffer.byteLength(svg)} bytes, more than ${coverBytesLimit}.`,
        )
      }

      await writeFile(path.join(folder, 'cover.svg'), svg)
      for (const { name, width } of [
        { name: 'cover.webp', width: 640 },
        { name: 'cover-1280.webp', width: 1280 },
      ]) {
        const picture = sharp(Buffer.from(svg), { density: (72 * width) / 640 }).resize(width)
        await picture.webp({ quality: 82, effort: 6 }).toFile(path.join(folder, name))
      }
    }
    const files = ['cover.svg', 'cover.webp', 'cover-1280.webp'].map(
      (name) => `courses/${slug}/${name}`,
    )

    return { name: slug, source: svg, files, make }
  })
}

export async function portraitThings(content: string): Promise<Thing[]> {
  const names = new Set((await listCourses(content)).flatMap(({ portrait }) => portrait ?? []))
  return [...names].sort().map((name) => {
    const svg = drawPortrait(name)
    const make = (folder: string) =>
      sharp(Buffer.from(svg), { density: 144 })
        .resize(320)
        .webp({ quality: 84, effort: 6 })
        .toFile(path.join(folder, `${name}.webp`))

    return { name, source: svg, files: [`instructors/${name}.webp`], make }
  })
}

/** Of each storyboard; a film with files but without a storyboard is not ours. */
export async function filmThings(content: string): Promise<Thing[]> {
  const things: Thing[] = []
  for (const { slug, category } of await listCourses(content)) {
    const videos = `courses/${slug}/videos`
    const files = await readdir(path.join(content, videos)).catch(() => [])
    for (const file of files.filter((file) => /^[^.].*\.yaml$/.test(file)).sort()) {
      const name = file.replace(/\.yaml$/, '')
      things.push({
        name: `${slug}/${name}`,
        course: slug,
        source: await readFile(path.join(content, videos, file), 'utf8'),
        files: ['webm', 'mp4', 'vtt', 'webp'].map((ending) => `${videos}/${name}.${ending}`),
        make: (folder: string) =>
          makeVideo({
            storyboard: path.join(content, videos, file),
            slug,
            category,
            base: path.join(folder, name),
          }),
      })
    }
  }

  return things
}

export async function brandThings(): Promise<Thing[]> {
  const icon = (name: string, size: number, options?: Parameters<typeof drawMark>[0]): Thing => {
    const svg = drawMark(options)
    const make = (folder: string) =>
      sharp(Buffer.from(svg), { density: (72 * size) / 32 })
        .resize(size)
        .png({ compressionLevel: 9, effort: 10 })
        .toFile(path.join(folder, name))

    return { name, source: svg, files: [name], make }
  }
  const share = drawShare()
  const makeShare = (folder: string) =>
    sharp(Buffer.from(share))
      .png({ palette: true, colors: 256, effort: 10, compressionLevel: 9 })
      .toFile(path.join(folder, 'og.png'))

  return [
    {
      name: 'mark',
      source: drawMark(),
      files: ['favicon.svg'],
      make: (folder: string) => writeFile(path.join(folder, 'favicon.svg'), drawMark()),
    },
    icon('icon-192.png', 192),
    icon('icon-512.png', 512),
    icon('apple-touch-icon.png', 180, { corner: 0, inset: 0.06 }),
    { name: 'share', source: share, files: ['og.png'], make: makeShare },
    globe('light', 'globe', 20),
    globe('dark', 'globe-dark', 26),
  ]
}

function globe(theme: 'light' | 'dark', name: string, quality: number): Thing {
  const svg = drawGlobe(theme)
  const make = async (folder: string) => {
    await writeFile(path.join(folder, `${name}.svg`), svg)
    await sharp(Buffer.from(svg))
      .webp({ quality, alphaQuality: 100, effort: 6 })
      .toFile(path.join(folder, `${name}.webp`))
  }

  return { name, source: svg, files: [`images/${name}.svg`, `images/${name}.webp`], make }
}
