import { type Film, type FilmFile, FilmProblem } from './film'

type Box = { type: string; start: number; end: number }

const cut = 'The film is cut off: part of the file is missing. Export or copy it again.'
const maxHeadBytes = 64_000_000
/** Videos have fewer top-level boxes than this. */
const maxBoxes = 100_000

/** ISO base media (MP4): a file is boxes of a size and a type; `moov` has the head, `mdat` picture and sound. */
export async function readMp4(file: FilmFile): Promise<Film> {
  let head: Buffer | null = null
  let hasData = false
  let position = 0
  for (let count = 0; position < file.size && count < maxBoxes; count++) {
    const box = boxAt(await file.read(position, 16), 0, file.size - position)
    if (!box || (count === 0 && box.type !== 'ftyp')) throw new FilmProblem(noMp4(count > 0))
    if (position + box.end > file.size) throw new FilmProblem(cut)
    if (box.type === 'moov' && box.end <= maxHeadBytes) head = (await file.read(position, box.end)).subarray(box.start)
    if (box.type === 'mdat') hasData ||= box.end > box.start
    position += box.end
  }
  if (!head || !hasData) throw new FilmProblem(cut)
  return headOf(head)
}

function noMp4(begun: boolean): string {
  return begun ? cut : 'This isn’t an MP4 film, despite its name. Export the film as MP4.'
}

function headOf(head: Buffer): Film {
  const movie = boxesIn(head).find(({ type }) => type === 'mvhd')
  const tracks = boxesIn(head).filter(({ type }) => type === 'trak')
  const pictures = tracks.flatMap((track) => codecOf(head.subarray(track.start, track.end)) ?? [])
  const [codec = ''] = pictures
  return { seconds: movie ? secondsOf(head.subarray(movie.start, movie.end)) : 0, hasPicture: codec !== '', codec }
}

/** `mvhd`: version, flags, two dates, time scale and duration; version 1 has 64 bits for dates and duration. */
function secondsOf(movie: Buffer): number {
  const long = movie[0] === 1
  if (movie.length < (long ? 32 : 20)) return 0
  const scale = movie.readUInt32BE(long ? 20 : 12)
  const duration = long ? Number(movie.readBigUInt64BE(24)) : movie.readUInt32BE(16)
  const unknown = long ? duration > Number.MAX_SAFE_INTEGER : duration === 0xffffffff
  return unknown || scale === 0 ? 0 : duration / scale
}

/** @returns the codec of a track of pictures, null for any other track. */
function codecOf(track: Buffer): string | null {
  const media = inside(track, 'mdia')
  const handler = media && inside(media, 'hdlr')
  if (!media || handler?.toString('latin1', 8, 12) !== 'vide') return null
  const samples = ['minf', 'stbl', 'stsd'].reduce<Buffer | null>((part, type) => part && inside(part, type), media)
  return samples && samples.length >= 16 ? samples.toString('latin1', 12, 16) : '?'
}

function inside(buffer: Buffer, type: string): Buffer | null {
  const box = boxesIn(buffer).find((box) => box.type === type)
  return box ? buffer.subarray(box.start, box.end) : null
}

function boxesIn(buffer: Buffer): Box[] {
  const boxes: Box[] = []
  for (let position = 0; position + 8 <= buffer.length; ) {
    const box = boxAt(buffer, position, buffer.length - position)
    if (!box || position + box.end > buffer.length) break
    boxes.push({ type: box.type, start: position + box.start, end: position + box.end })
    position += box.end
  }
  return boxes
}

/** @returns the box at a place, its ends counted from there; null where no box can be. */
function boxAt(buffer: Buffer, position: number, rest: number): Box | null {
  if (position + 8 > buffer.length) return null
  const type = buffer.toString('latin1', position + 4, position + 8)
  const short = buffer.readUInt32BE(position)
  if (!/^[\x20-\x7e\xa9]{4}$/.test(type)) return null
  if (short === 0) return { type, start: 8, end: rest }
  if (short !== 1) return short < 8 ? null : { type, start: 8, end: short }
  if (position + 16 > buffer.length) return null
  const long = Number(buffer.readBigUInt64BE(position + 8))
  return long < 16 ? null : { type, start: 16, end: long }
}
