/**
 * Serves the files of the content folder under `/media`, and signs their URLs.
 *
 * Covers, portraits and the videos of preview lessons are public. Every other file needs a URL that
 * was signed for a learner of its course (`signMediaUrl`). A request that may not have a file gets
 * the same 404 as one for a missing file. A cover that is missing is drawn.
 */
import type { Stats } from 'node:fs'
import { stat } from 'node:fs/promises'
import path from 'node:path'
import { serveStatic } from '@hono/node-server/serve-static'
import { sql } from 'drizzle-orm'
import type { Context, Handler } from 'hono'
import type { Database } from '~/server/database/client.server'
import { drawCourseCover } from '~/server/drawing/drawn-cover.server'
import { serverMessages } from '~/server/http/server-messages.server'
import { isValidSignature, sign } from '~/server/operations/secrets.server'
import { mediaName } from '~/server/validation/content-fields'
import { downloadNamePattern, getDownloadContentType } from './download-files.server'
import { findPicture } from './picture-files.server'

/** A large cover is 1,280 pixels wide. */
const coverPath = /^\/media\/courses\/([\w-]+)\/cover(?:-1280)?\.(?:webp|svg)$/
const portraitPath = /^\/media\/instructors\/[\w-]+\.webp$/
/** Matches any file in a course's folder of downloads. `downloadNamePattern` checks the name. */
const downloadPath = /^\/media\/courses\/[\w-]+\/downloads\/([^/]+)$/
const videoPath = /^(\/media\/courses\/([\w-]+)\/videos\/[\w-]+)\.(?:webm|mp4|vtt|webp)$/

type MediaSource = { db: Database; folder: string; now?(): Date }

type MediaFile = {
  path: string
  stats: Stats
  cacheControl: string
  /** The name under which browsers save the file, or null if the file is not a download. */
  downloadName: string | null
}

/** Returns the handler of `/media`. */
export function courseMedia({ db, folder, now = () => new Date() }: MediaSource): Handler {
  return async (context) => {
    const url = new URL(context.req.url)
    const media = await findMedia(db, folder, { url, now: now() })

    if (media === null) {
      const [, courseIdOfCover] = coverPath.exec(url.pathname) ?? []
      return courseIdOfCover === undefined
        ? mediaNotFoundResponse(context)
        : drawnCoverResponse(context, drawCourseCover(courseIdOfCover))
    }

    const version = getFileVersion(media.stats)
    context.header('Cache-Control', media.cacheControl)
    context.header('Referrer-Policy', 'no-referrer')
    context.header('Accept-Ranges', 'bytes')
    context.header('ETag', version.etag)
    context.header('Last-Modified', version.changedAt.toUTCString())
    if (hasCurrentVersion(context, version)) {
      return context.body(null, 304)
    }

    const hasRange = context.req.header('range') !== undefined
    if (hasRange && !isRangeOfVersion(context, version)) {
      // `serveStatic` reads the header itself. Without the header, it sends the whole file.
      context.req.raw = withoutRange(context.req.raw)
    }

    return sendFile(context, media)
  }
}

/** Returns the file behind the URL, or null if it is missing or the request may not have it. */
async function findMedia(
  db: Database,
  folder: string,
  { url, now }: { url: URL; now: Date },
): Promise<MediaFile | null> {
  const contentPath = url.pathname.replace('/media/', '')
  const downloadName = findDownloadName(url.pathname)
  if (downloadName === null && !mediaName.test(contentPath)) {
    return null
  }

  const cacheControl = await authorizeRequest(db, url, now)
  if (cacheControl === null) {
    return null
  }

  const filePath = await findFilePath(folder, contentPath, downloadName !== null)
  const stats = filePath === null ? null : await stat(filePath).catch(() => null)
  if (filePath === null || !stats?.isFile()) {
    return null
  }

  return { path: filePath, stats, cacheControl, downloadName }
}

/**
 * Returns the path of the file to send. For a picture in another format, this is a copy as WebP.
 */
async function findFilePath(
  folder: string,
  contentPath: string,
  isDownload: boolean,
): Promise<string | null> {
  const isPicture = !isDownload && /\.(webp|png|jpe?g|avif|hei[cf])$/i.test(contentPath)
  return isPicture ? findPicture(folder, contentPath) : path.join(folder, contentPath)
}

async function sendFile(context: Context, media: MediaFile): Promise<Response> {
  const serve = serveStatic({
    root: path.dirname(media.path),
    path: path.basename(media.path),
  })
  const noNextHandler = async () => {}
  const response = await serve(context, noNextHandler)
  if (!response) {
    // The file has been deleted since `findMedia` found it.
    return mediaNotFoundResponse(context)
  }

  if (media.downloadName !== null) {
    setDownloadHeaders(response.headers, media.downloadName)
  } else if (media.path.endsWith('.vtt')) {
    // Hono doesn't know the content type of captions.
    response.headers.set('Content-Type', 'text/vtt; charset=utf-8')
  }

  return response
}

function mediaNotFoundResponse(context: Context): Response {
  return context.text(serverMessages.mediaNotFound, 404, { 'Cache-Control': 'no-store' })
}

/** Sends a drawing that is cached for an hour only, because the course may get its own cover. */
function drawnCoverResponse(context: Context, drawing: string) {
  return context.body(drawing, 200, {
    'Content-Type': 'image/svg+xml; charset=utf-8',
    'Cache-Control': 'public, max-age=3600',
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
    'Referrer-Policy': 'no-referrer',
  })
}

/** Returns the file's name, or null if the path is not that of a download. */
function findDownloadName(urlPath: string): string | null {
  const name = downloadPath.exec(urlPath)?.[1]
  return name && downloadNamePattern.test(name) ? name : null
}

/**
 * Makes browsers save the download. A page or script in it must never open in the product's own
 * origin.
 */
function setDownloadHeaders(headers: Headers, name: string): void {
  headers.set('Content-Type', getDownloadContentType(name))
  headers.set('Content-Disposition', `attachment; filename="${name}"`)
  headers.set('X-Content-Type-Options', 'nosniff')
  headers.set('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'; sandbox")
}

/**
 * Decides whether a request may have a file. A signed URL may be cached until it expires, by the
 * browser only. A public file may be cached by everyone.
 *
 * @returns the `Cache-Control` header of the file, or null if the request may not have it
 */
async function authorizeRequest(db: Database, url: URL, now: Date): Promise<string | null> {
  const remainingSeconds = await findRemainingSeconds(url, now)
  if (remainingSeconds !== null) {
    return `private, max-age=${remainingSeconds}`
  }

  if (coverPath.test(url.pathname) || portraitPath.test(url.pathname)) {
    return 'public, max-age=86400'
  }

  // The cache time is short, because a lesson may stop being a preview.
  return (await isPreviewVideo(db, url.pathname)) ? 'public, max-age=3600' : null
}

async function isPreviewVideo(db: Database, urlPath: string): Promise<boolean> {
  // The database has the video's path without its extension, because a video has several files.
  const [, videoBasePath, courseId] = videoPath.exec(urlPath) ?? []
  if (!videoBasePath) {
    return false
  }

  const { rows } = await db.execute(sql`
    select 1
    from course_lessons l
    join courses c on c.id = l.course_id
    where c.id = ${courseId}
      and c.published
      and l.video = ${videoBasePath}
      and l.preview
      and not l.retired
    limit 1`)

  return rows.length > 0
}

/** Identifies what a file contains now. */
type FileVersion = { etag: string; changedAt: Date }

function getFileVersion(stats: Stats): FileVersion {
  return {
    etag: `"${stats.size.toString(36)}-${stats.mtimeMs.toString(36)}"`,
    changedAt: stats.mtime,
  }
}

/**
 * Returns whether the browser has this version in its cache. `If-None-Match` takes precedence over
 * `If-Modified-Since` (RFC 9110, section 13.1).
 */
function hasCurrentVersion({ req }: Context, { etag, changedAt }: FileVersion): boolean {
  const tags = req.header('if-none-match')
  if (tags !== undefined) {
    return tags.split(',').some((tag) => ['*', etag].includes(tag.trim().replace(/^W\//, '')))
  }

  return isUnchangedSince(req.header('if-modified-since'), changedAt)
}

/**
 * Returns whether the request asks for a single range of this version. A request for several
 * ranges, or for a range of an earlier version, gets the whole file.
 */
function isRangeOfVersion({ req }: Context, { etag, changedAt }: FileVersion): boolean {
  const ifRange = req.header('if-range')
  const isUnchanged =
    ifRange === undefined || ifRange === etag || ifRange === changedAt.toUTCString()
  const isSingleRange = /^bytes=(\d+-\d*|-\d+)$/.test(req.header('range') ?? '')
  return isUnchanged && isSingleRange
}

function isUnchangedSince(date: string | undefined, changedAt: Date): boolean {
  return date !== undefined && Date.parse(date) >= Math.floor(changedAt.getTime() / 1000) * 1000
}

function withoutRange(request: Request): Request {
  const headers = new Headers(request.headers)
  headers.delete('range')
  return new Request(request.url, { method: request.method, headers })
}

/**
 * A URL that is signed within the same two hours is the same, so that the browser finds the file in
 * its cache after a reload. The URL expires at the end of the next two hours.
 */
const signingPeriodSeconds = 2 * 60 * 60

/**
 * Signs the URL of a file that only learners of its course may have. The URL works for two to four
 * hours and for anyone who has it, because a television that plays a video for a learner sends no
 * cookie (see docs/decisions/2026-11-21-media-by-signature.md).
 *
 * @param urlPath the path of the URL, from `/media/` on, without parameters
 */
export async function signMediaUrl(urlPath: string, now: Date): Promise<string> {
  const currentPeriod = Math.floor(now.getTime() / 1000 / signingPeriodSeconds)
  const until = (currentPeriod + 2) * signingPeriodSeconds
  return `${urlPath}?until=${until}&key=${await sign('media', [urlPath, until])}`
}

/** Returns the seconds until a signed URL expires, or null if it isn't signed or has expired. */
async function findRemainingSeconds(
  { pathname, searchParams }: URL,
  now: Date,
): Promise<number | null> {
  const until = searchParams.get('until') ?? ''
  const signature = searchParams.get('key') ?? ''
  const isTime = /^\d{1,12}$/.test(until)
  if (!isTime || !(await isValidSignature('media', [pathname, Number(until)], signature))) {
    return null
  }

  const remainingSeconds = Number(until) - Math.floor(now.getTime() / 1000)
  return remainingSeconds > 0 ? remainingSeconds : null
}
