/**
 * Turns a storyboard into a film: `.webm` (VP9, Opus), `.mp4` (H.264, AAC), `.vtt` captions and a
 * `.webp` poster.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import sharp from 'sharp'
import { parse } from 'yaml'
import * as z from 'zod'
import { markShapes } from './brand.ts'
import { drawCover } from './covers.ts'
import { coursePalette } from './palette.ts'
import { compose, height, opaque, pixelsOf, revealCover, width } from './pixels.ts'
import { drawGround, drawScene } from './scene.ts'
import { padSound } from './sound.ts'
import { type Scene, storyboardFile } from './storyboard.ts'
import { rect } from './svg.ts'
import { clockOf, cuesOf } from './timeline.ts'

const framesPerSecond = 12

function timestamp(seconds: number): string {
  const thousandths = Math.round(seconds * 1000)
  const part = (value: number, digits = 2) => String(Math.floor(value)).padStart(digits, '0')
  return `${part(thousandths / 60_000)}:${part((thousandths / 1000) % 60)}.${part(thousandths % 1000, 3)}`
}

function captions(scenes: readonly Scene[]): string {
  let begin = 0
  const cues = scenes.flatMap((scene) => {
    const from = begin
    begin += scene.seconds

    return cuesOf(scene).map(({ text, start, end }) => {
      const written = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
      return `${timestamp(from + start)} --> ${timestamp(from + end)}\n${written}\n`
    })
  })

  return `WEBVTT\n\n${cues.join('\n')}`
}

function startEncoder(soundFile: string, base: string, seconds: number) {
  const common = `-map 1:a -t ${seconds} -ac 1 -map_metadata -1 -fflags +bitexact -flags:v +bitexact -flags:a +bitexact`
  const converted = '[0:v]scale=out_color_matrix=bt709:out_range=tv,format=yuv420p,split[h264][vp9]'
  const color = '-colorspace bt709 -color_primaries bt709 -color_trc bt709 -color_range tv'
  const h264 =
    '-c:v libx264 -preset veryfast -tune animation -crf 27 -g 120 -aq-mode 3 -threads 2 -c:a aac -b:a 20k -ar 24000 -movflags +faststart'
  const vp9 =
    '-c:v libvpx-vp9 -crf 38 -b:v 0 -deadline realtime -cpu-used 6 -row-mt 1 -g 120 -threads 2 -c:a libopus -b:a 14k -ar 48000'
  const input = `-f rawvideo -pix_fmt rgb24 -s ${width}x${height} -r ${framesPerSecond} -i pipe:0 -i`
  // Of flat drawings the faster encoder makes files a tenth larger in a sixth of the time.
  const options = (...texts: string[]) => texts.flatMap((text) => text.split(' '))
  const encoder = spawn(
    'ffmpeg',
    [
      ...options('-y -loglevel error -fflags +bitexact', input),
      ...[soundFile, '-filter_complex', converted],
      ...options('-map [h264]', common, color, h264),
      `${base}.mp4`,
      ...options('-map [vp9]', common, color, vp9),
      `${base}.webm`,
    ],
    { stdio: ['pipe', 'inherit', 'inherit'] },
  )
  const ended = new Promise<void>((resolve, reject) => {
    encoder.on('error', reject)
    encoder.on('close', (code) =>
      code === 0 ? resolve() : reject(new Error(`ffmpeg ended with code ${code}.`)),
    )
  })

  // A broken pipe only says that ffmpeg has ended; `ended` says why.
  encoder.stdin.on('error', () => {})

  return { input: encoder.stdin, ended }
}

/**
 * The moment that the poster shows: the one a scene names in captions, otherwise the end of the
 * opening.
 */
function posterOf(scenes: readonly Scene[]): { scene: Scene; time: number } {
  const scene = scenes.find(({ poster }) => poster) ?? (scenes[0] as Scene)
  return { scene, time: scene.poster ? clockOf(scene)(scene.poster) : scene.seconds - 0.6 }
}

type Film = {
  /** Path of `videos/NAME.yaml`. */
  storyboard: string
  /** The course, which with its category decides colors, cover and key. */
  slug: string
  category?: string
  /** Path of the files to write, without ending. */
  base: string
}

/** @throws {Error} saying what is wrong with the storyboard. */
export async function makeVideo({ storyboard, slug, category, base }: Film): Promise<void> {
  const { data, error } = storyboardFile.safeParse(parse(await readFile(storyboard, 'utf8')))
  if (!data) {
    throw new Error(z.prettifyError(error))
  }

  const { scenes } = data
  const name = basename(base)
  const sceneSeconds = scenes.map(({ seconds }) => seconds)
  const total = sceneSeconds.reduce((sum, seconds: number) => sum + seconds, 0)
  const colors = coursePalette(slug, category)
  await writeFile(`${base}.vtt`, captions(scenes))

  const mark = [
    rect(0, 0, 32, 32, 9, { fill: '#ffffff', 'fill-opacity': 0.16 }),
    ...markShapes(colors.light),
  ].join('')
  const ground = await pixelsOf(drawGround(colors, mark))
  const cover = await pixelsOf(drawCover(slug, category), 144)
  const still = opaque(ground)

  const folder = await mkdtemp(join(tmpdir(), 'learnify-media-'))
  try {
    const soundFile = join(folder, 'pad.wav')
    await writeFile(soundFile, padSound(sceneSeconds, `${slug}/${name}`))
    const encoder = startEncoder(soundFile, base, total)
    let drawn: { key: string; picture: Buffer } = { key: '', picture: Buffer.alloc(0) }
    const poster = posterOf(scenes)
    for (const [index, scene] of scenes.entries()) {
      const opening = index === 0 && !scene.drawing
      for (let frame = 0; frame < Math.round(scene.seconds * framesPerSecond); frame++) {
        const time = frame / framesPerSecond
        const svg = drawScene(scene, colors, time, opening)
        const share = opening ? Math.round(Math.min(1, (scene.seconds - time) / 0.4) * 20) / 20 : 0
        const key = `${share}${svg}`
        if (key !== drawn.key) {
          drawn = {
            key,
            picture: compose(
              share ? opaque(revealCover(ground, cover, share)) : still,
              await pixelsOf(svg),
            ),
          }
        }

        if (scene === poster.scene && frame === Math.round(poster.time * framesPerSecond)) {
          await sharp(drawn.picture, { raw: { width, height, channels: 3 } })
            .webp({ quality: 84, effort: 6 })
            .toFile(`${base}.webp`)
        }

        if (!encoder.input.write(drawn.picture)) {
          await Promise.race([once(encoder.input, 'drain'), encoder.ended])
        }
      }
    }

    encoder.input.end()
    await encoder.ended
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
