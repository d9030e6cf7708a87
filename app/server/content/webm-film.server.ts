import { type Film, type FilmFile, FilmProblem } from './film'

const ids = {
  head: 0x1a45dfa3,
  docType: 0x4282,
  segment: 0x18538067,
  info: 0x1549a966,
  timeScale: 0x2ad7b1,
  duration: 0x4489,
  tracks: 0x1654ae6b,
  track: 0xae,
  trackType: 0x83,
  codec: 0x86,
  cluster: 0x1f43b675,
}
/** Track type of pictures. */
const picture = 1
const cut = 'The film is cut off: part of the file is missing. Export or copy it again.'
const noWebm = 'This isn’t a WebM film, despite its name. Export the film as WebM.'
const maxHeadBytes = 16_000_000
/** More elements than a video of several hours has. */
const maxElements = 200_000

/** `size` null: not known, as in a live recording. */
type Element = { id: number; start: number; size: number | null }

/** WebM (EBML): elements of an id and a size; `Info` and `Tracks` are the head, clusters hold picture and sound. */
export async function readWebm(file: FilmFile): Promise<Film> {
  const head = elementAt(await file.read(0, 12), 0)
  if (head?.id !== ids.head || head.size === null || head.size > 1000) throw new FilmProblem(noWebm)
  const docType = inside(await file.read(head.start, head.size), ids.docType)
    ?.toString('latin1')
    .replace(/\0+$/, '')
  if (docType !== 'webm') throw new FilmProblem(noWebm)
  const begin = head.start + head.size
  const segment = elementAt(await file.read(begin, 12), 0)
  if (segment?.id !== ids.segment) throw new FilmProblem(cut)
  const end = segment.size === null ? file.size : begin + segment.start + segment.size
  if (end > file.size) throw new FilmProblem(cut)
  return readSegment(file, begin + segment.start, end)
}

async function readSegment(file: FilmFile, begin: number, end: number): Promise<Film> {
  const film: Film = { seconds: 0, hasPicture: false, codec: '' }
  let clusters = 0
  for (let position = begin, count = 0; position < end && count < maxElements; count++) {
    const element = elementAt(await file.read(position, 12), 0)
    if (!element) throw new FilmProblem(cut)
    if (element.id === ids.cluster) clusters++
    // Only a live recording has parts of unknown size; it does not know its own length either.
    if (element.size === null) break
    const start = position + element.start
    if (start + element.size > file.size) throw new FilmProblem(cut)
    const wanted = element.id === ids.info || element.id === ids.tracks
    const content = wanted && element.size <= maxHeadBytes ? await file.read(start, element.size) : null
    if (content && element.id === ids.info) film.seconds = secondsOf(content)
    if (content && element.id === ids.tracks) film.codec = codecOf(content) ?? ''
    position = start + element.size
  }
  if (clusters === 0) throw new FilmProblem(cut)
  return { ...film, hasPicture: film.codec !== '' }
}

function secondsOf(info: Buffer): number {
  const scale = inside(info, ids.timeScale)
  const duration = inside(info, ids.duration)
  const ticks = duration?.length === 8 ? duration.readDoubleBE() : duration?.length === 4 ? duration.readFloatBE() : 0
  return (ticks * (scale ? wholeNumber(scale) : 1_000_000)) / 1e9
}

/** @returns the codec of the first track of pictures. */
function codecOf(tracks: Buffer): string | null {
  for (const track of elementsIn(tracks).filter(({ id }) => id === ids.track)) {
    const content = tracks.subarray(track.start, track.start + (track.size ?? 0))
    const type = inside(content, ids.trackType)
    if (type && wholeNumber(type) === picture)
      return inside(content, ids.codec)?.toString('latin1').replace(/\0+$/, '') ?? '?'
  }
  return null
}

function inside(buffer: Buffer, id: number): Buffer | null {
  const element = elementsIn(buffer).find((element) => element.id === id)
  return element ? buffer.subarray(element.start, element.start + (element.size ?? 0)) : null
}

function elementsIn(buffer: Buffer): Element[] {
  const elements: Element[] = []
  for (let position = 0; position < buffer.length; ) {
    const element = elementAt(buffer, position)
    if (!element || element.size === null) break
    elements.push(element)
    position = element.start + element.size
  }
  return elements
}

/** An id of one to four bytes and a size of one to eight; leading zero bits say how many bytes there are. */
function elementAt(buffer: Buffer, position: number): Element | null {
  const idLength = Math.clz32(buffer[position] ?? 0) - 23
  if (idLength > 4 || position + idLength >= buffer.length) return null
  const sizeAt = position + idLength
  const first = buffer[sizeAt] ?? 0
  const sizeLength = Math.clz32(first) - 23
  if (sizeLength > 8 || sizeAt + sizeLength > buffer.length) return null
  const bytes = [first & (0xff >> sizeLength), ...buffer.subarray(sizeAt + 1, sizeAt + sizeLength)]
  const known = bytes.some((byte, index) => byte !== (index === 0 ? 0xff >> sizeLength : 0xff))
  const size = bytes.reduce((sum, byte) => sum * 256 + byte, 0)
  return { id: wholeNumber(buffer.subarray(position, sizeAt)), start: sizeAt + sizeLength, size: known ? size : null }
}

function wholeNumber(bytes: Buffer): number {
  return bytes.reduce((sum, byte) => sum * 256 + byte, 0)
}
