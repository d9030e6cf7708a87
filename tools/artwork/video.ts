/**
 * Turns a storyboard into a video. The files are `.webm` (VP9, Opus), `.mp4` (H.264, AAC), `.vtt`
 * with captions, and a `.webp` poster.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import sharp from 'sharp'
import { parse } from 'yaml'
import * as z from 'zod'
import { drawMarkShapes } from './brand.ts'
import { drawCover } from './covers.ts'
import { coursePalette } from './palette.ts'
import { compose, height, removeAlpha, renderPixels, revealCover, width } from './pixels.ts'
import { drawGround, drawScene } from './scene.ts'
import { createPadSound } from './sound.ts'
import { type Scene, storyboardFile } from './storyboard.ts'
import { rect } from './svg.ts'
import { createClock, listCues } from './timeline.ts'

const framesPerSecond = 12
const coverPixelsPerInch = 144
const coverFadeSeconds = 0.4
const coverFadeSteps = 20
const posterSecondsBeforeEnd = 0.6

type VideoOptions = {
  /** The path of `videos/NAME.yaml`. */
  storyboard: string
  /** The course. With its category, the course decides colors, cover and musical key. */
  slug: string
  category?: string
  /** The path of the files to write, without their ending. */
  base: string
}

/**
 * Draws a storyboard and writes the files of its video.
 *
 * @throws if the storyboard is not valid. The error names each problem.
 */
export async function makeVideo(options: VideoOptions): Promise<void> {
  const { storyboard, slug, base } = options
  const { data, error } = storyboardFile.safeParse(parse(await readFile(storyboard, 'utf8')))
  if (!data) {
    throw new Error(z.prettifyError(error))
  }

  const { scenes } = data
  await writeFile(`${base}.vtt`, formatCaptions(scenes))

  const sceneSeconds = scenes.map(({ seconds }) => seconds)
  const totalSeconds = sceneSeconds.reduce((sum, seconds) => sum + seconds, 0)
  const folder = await mkdtemp(join(tmpdir(), 'learnify-media-'))
  try {
    const soundFile = join(folder, 'pad.wav')
    await writeFile(soundFile, createPadSound(sceneSeconds, `${slug}/${basename(base)}`))

    const encoder = startEncoder(soundFile, base, totalSeconds)
    await encodeFrames(encoder, scenes, options)
    encoder.input.end()
    await encoder.ended
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Returns the captions of all scenes as WebVTT. */
function formatCaptions(scenes: readonly Scene[]): string {
  let sceneStart = 0
  const cues = scenes.flatMap((scene) => {
    const offset = sceneStart
    sceneStart += scene.seconds

    return listCues(scene).map(({ text, start, end }) => {
      const escapedText = text
        .replaceAll('&', '&amp;')
        .replaceAll('<', '&lt;')
        .replaceAll('>', '&gt;')
      return `${formatTimestamp(offset + start)} --> ${formatTimestamp(offset + end)}\n${escapedText}\n`
    })
  })

  return `WEBVTT\n\n${cues.join('\n')}`
}

function formatTimestamp(seconds: number): string {
  const thousandths = Math.round(seconds * 1000)
  const part = (value: number, digits = 2) => String(Math.floor(value)).padStart(digits, '0')
  return `${part(thousandths / 60_000)}:${part((thousandths / 1000) % 60)}.${part(thousandths % 1000, 3)}`
}

/** Starts ffmpeg, which reads frames from its input and writes the `.mp4` and the `.webm` file. */
function startEncoder(soundFile: string, base: string, seconds: number) {
  const common = `-map 1:a -t ${seconds} -ac 1 -map_metadata -1 -fflags +bitexact -flags:v +bitexact -flags:a +bitexact`
  const converted = '[0:v]scale=out_color_matrix=bt709:out_range=tv,format=yuv420p,split[h264][vp9]'
  const color = '-colorspace bt709 -color_primaries bt709 -color_trc bt709 -color_range tv'
  // For flat drawings, the faster preset takes a sixth of the time, and the files are a tenth
  // larger.
  const h264 =
    '-c:v libx264 -preset veryfast -tune animation -crf 27 -g 120 -aq-mode 3 -threads 2 -c:a aac -b:a 20k -ar 24000 -movflags +faststart'
  const vp9 =
    '-c:v libvpx-vp9 -crf 38 -b:v 0 -deadline realtime -cpu-used 6 -row-mt 1 -g 120 -threads 2 -c:a libopus -b:a 14k -ar 48000'
  const frameInput = `-f rawvideo -pix_fmt rgb24 -s ${width}x${height} -r ${framesPerSecond} -i pipe:0 -i`
  const splitOptions = (...texts: string[]) => texts.flatMap((text) => text.split(' '))
  const encoder = spawn(
    'ffmpeg',
    [
      ...splitOptions('-y -loglevel error -fflags +bitexact', frameInput),
      ...[soundFile, '-filter_complex', converted],
      ...splitOptions('-map [h264]', common, color, h264),
      `${base}.mp4`,
      ...splitOptions('-map [vp9]', common, color, vp9),
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

  // A broken pipe only means that ffmpeg has ended. `ended` has the reason.
  encoder.stdin.on('error', () => {})

  return { input: encoder.stdin, ended }
}

/** Draws all frames and sends them to the encoder. Writes the poster when its frame is drawn. */
async function encodeFrames(
  encoder: ReturnType<typeof startEncoder>,
  scenes: readonly Scene[],
  options: VideoOptions,
): Promise<void> {
  const drawFrame = await createFramePainter(options)
  const poster = findPosterFrame(scenes)

  for (const [index, scene] of scenes.entries()) {
    const isOpening = index === 0 && !scene.drawing
    const frameCount = Math.round(scene.seconds * framesPerSecond)
    for (let frame = 0; frame < frameCount; frame++) {
      const pixels = await drawFrame(scene, frame / framesPerSecond, isOpening)

      if (scene === poster.scene && frame === poster.frame) {
        await writePoster(pixels, options.base)
      }

      if (!encoder.input.write(pixels)) {
        await Promise.race([once(encoder.input, 'drain'), encoder.ended])
      }
    }
  }
}

/**
 * Returns the frame for the poster: the one that a scene names, or one shortly before the opening's
 * end.
 */
function findPosterFrame(scenes: readonly Scene[]): { scene: Scene; frame: number } {
  const scene = scenes.find(({ poster }) => poster) ?? (scenes[0] as Scene)
  const time = scene.poster
    ? createClock(scene)(scene.poster)
    : scene.seconds - posterSecondsBeforeEnd
  return { scene, frame: Math.round(time * framesPerSecond) }
}

/**
 * Returns a function that draws one frame. It draws nothing new if the frame equals the last one.
 */
async function createFramePainter({ slug, category }: VideoOptions) {
  const colors = coursePalette(slug, category)
  const mark = [
    rect(0, 0, 32, 32, 9, { fill: '#ffffff', 'fill-opacity': 0.16 }),
    ...drawMarkShapes(colors.light),
  ].join('')
  const ground = await renderPixels(drawGround(colors, mark))
  const opaqueGround = removeAlpha(ground)
  const cover = await renderPixels(drawCover(slug, category), coverPixelsPerInch)

  let lastKey = ''
  let lastPixels: Buffer = Buffer.alloc(0)

  return async (scene: Scene, time: number, isOpening: boolean): Promise<Buffer> => {
    const svg = drawScene(scene, colors, time, isOpening)
    const coverShare = isOpening ? computeCoverShare(scene.seconds - time) : 0
    const key = `${coverShare}${svg}`
    if (key !== lastKey) {
      const background = coverShare
        ? removeAlpha(revealCover(ground, cover, coverShare))
        : opaqueGround
      lastPixels = compose(background, await renderPixels(svg))
      lastKey = key
    }

    return lastPixels
  }
}

/** The cover disappears in the last seconds of the opening, in twenty steps. */
function computeCoverShare(remainingSeconds: number): number {
  const share = Math.min(1, remainingSeconds / coverFadeSeconds)
  return Math.round(share * coverFadeSteps) / coverFadeSteps
}

async function writePoster(pixels: Buffer, base: string): Promise<void> {
  await sharp(pixels, { raw: { width, height, channels: 3 } })
    .webp({ quality: 84, effort: 6 })
    .toFile(`${base}.webp`)
}
