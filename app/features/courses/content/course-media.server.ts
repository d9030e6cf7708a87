import { stat } from 'node:fs/promises'
import path from 'node:path'
import { serveStatic } from '@hono/node-server/serve-static'
import { sql } from 'drizzle-orm'
import type { Context, Handler } from 'hono'
import type { Database } from '~/server/database/client.server'
import { drawCourseCover } from '~/server/drawing/drawn-cover.server'
import { mediaNotFound } from '~/server/http/server-messages.server'
import { isSigned, sign } from '~/server/operations/secrets.server'
import { mediaName } from '~/server/validation/content-fields'
import { downloadNamePattern, getDownloadContentType } from './download-files.server'
import { findPicture } from './picture-files.server'

const coverPath = /^\/media\/courses\/([\w-]+)\/cover(?:-1280)?\.(?:webp|svg)$/
const portraitPath = /^\/media\/instructors\/[\w-]+\.webp$/
/** A course's folder of downloads, checked by `downloadNamePattern`. */
const downloadPath = /^\/media\/courses\/[\w-]+\/downloads\/([^/]+)$/
const videoPath = /^(\/media\/courses\/([\w-]+)\/videos\/[\w-]+)\.(?:webm|mp4|vtt|webp)$/

const notThere = mediaNotFound

type Parts = { db: Database; folder: string; now?(): Date }

/**
 * Pictures and videos of the content; a cover that is missing is drawn. Covers, portraits and
 * videos of preview lessons are public; anything else needs an address that was signed for a
 * learner of the course.
 */
export function courseMedia({ db, folder, now = () => new Date() }: Parts): Handler {
  return async (context) => {
    const url = new URL(context.req.url)
    const download = downloadOf(url.pathname)
    const caching =
      download || mediaName.test(url.pathname.replace('/media/', ''))
        ? await findCaching(db, url, now())
        : null
    const place = caching
      ? await findFile(folder, url.pathname.slice('/media/'.length), download !== null)
      : null
    const file = place ? await stat(place).catch(() => null) : null
    const coverOf = coverPath.exec(url.pathname)?.[1]
    if (coverOf && !file) {
      return answerDrawn(context, drawCourseCover(coverOf))
    }

    if (!caching || !place || !file?.isFile()) {
      return context.text(notThere, 404, { 'Cache-Control': 'no-store' })
    }

    context.header('Cache-Control', caching)
    context.header('Referrer-Policy', 'no-referrer')
    context.header('Accept-Ranges', 'bytes')
    const version = {
      etag: `"${file.size.toString(36)}-${file.mtimeMs.toString(36)}"`,
      changedAt: file.mtime,
    }
    context.header('ETag', version.etag)
    context.header('Last-Modified', file.mtime.toUTCString())
    if (isKnown(context, version)) {
      return context.body(null, 304)
    }

    if (!isRangeOf(context, version)) {
      context.req.raw = withoutRange(context.req.raw)
    }

    const serve = serveStatic({ root: path.dirname(place), path: path.basename(place) })
    const answer = (await serve(context, async () => {})) ?? context.text(notThere, 404)
    if (download) {
      saveOnly(answer.headers, download)
    } else if (place.endsWith('.vtt')) {
      // Hono doesn't know the type of captions.
      answer.headers.set('Content-Type', 'text/vtt; charset=utf-8')
    }

    return answer
  }
}

/** @returns the path of the file to send: for a picture as browsers get it. */
async function findFile(folder: string, file: string, isDownload: boolean): Promise<string | null> {
  const isPicture = !isDownload && /\.(webp|png|jpe?g|avif|hei[cf])$/i.test(file)
  return isPicture ? findPicture(folder, file) : path.join(folder, file)
}

/** A short cache time, because the course may get a cover of its own. */
function answerDrawn(context: Context, drawing: string) {
  return context.body(drawing, 200, {
    'Content-Type': 'image/svg+xml; charset=utf-8',
    'Cache-Control': 'public, max-age=3600',
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
    'Referrer-Policy': 'no-referrer',
  })
}

/** @returns the file's name; null if it is not a download. */
function downloadOf(address: string): string | null {
  const name = downloadPath.exec(address)?.[1]
  return name && downloadNamePattern.test(name) ? name : null
}

/** It is saved, never opened in the product's own origin, whatever it contains. */
function saveOnly(headers: Headers, name: string): void {
  headers.set('Content-Type', getDownloadContentType(name))
  headers.set('Content-Disposition', `attachment; filename="${name}"`)
  headers.set('X-Content-Type-Options', 'nosniff')
  headers.set('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'; sandbox")
}

/** @returns the `Cache-Control` of the file; null if this request may not have it. */
async function findCaching(db: Database, url: URL, now: Date): Promise<string | null> {
  const secondsLeft = await mediaSecondsLeft(url.pathname, url.searchParams, now)
  if (secondsLeft > 0) {
    return `private, max-age=${secondsLeft}`
  }

  if (coverPath.test(url.pathname) || portraitPath.test(url.pathname)) {
    return 'public, max-age=86400'
  }

  // Not for long: a lesson may stop being a preview.
  return (await isPreview(db, url.pathname)) ? 'public, max-age=3600' : null
}

async function isPreview(db: Database, file: string): Promise<boolean> {
  const [, video, courseId] = videoPath.exec(file) ?? []
  if (!video) {
    return false
  }

  const { rows } =
    await db.execute(sql`select 1 from course_lessons l join courses c on c.id = l.course_id
      where c.id = ${courseId} and c.published and l.video = ${video} and l.preview and not l.retired limit 1`)

  return rows.length > 0
}

type Version = { etag: string; changedAt: Date }

/** RFC 9110, 13.1: `If-None-Match` takes precedence. */
function isKnown({ req }: Context, { etag, changedAt }: Version): boolean {
  const tags = req.header('if-none-match')
  if (tags !== undefined) {
    return tags.split(',').some((tag) => ['*', etag].includes(tag.trim().replace(/^W\//, '')))
  }

  return isUnchangedSince(req.header('if-modified-since'), changedAt)
}

/** A single range of the unchanged file. Any other range request gets the whole file. */
function isRangeOf({ req }: Context, { etag, changedAt }: Version): boolean {
  const wanted = req.header('if-range')
  const fits = wanted === undefined || wanted === etag || wanted === changedAt.toUTCString()
  return fits && /^bytes=(\d+-\d*|-\d+)$/.test(req.header('range') ?? '')
}

function isUnchangedSince(date: string | undefined, changedAt: Date): boolean {
  return date !== undefined && Date.parse(date) >= Math.floor(changedAt.getTime() / 1000) * 1000
}

function withoutRange(request: Request): Request {
  const headers = new Headers(request.headers)
  headers.delete('range')
  return new Request(request.url, { method: request.method, headers })
}

const hourSeconds = 60 * 60
/** A reload within this time gets the same address, and finds the video in the browser's cache. */
const windowSeconds = 2 * hourSeconds

/**
 * The address of a file that only learners of its course may have. It works for two to four hours
 * for anyone who has it: a television that plays the video for a learner brings no cookie (see
 * docs/decisions/2026-11-21-media-by-signature.md).
 *
 * @param path from `/media/` on, without parameters.
 */
export async function signMediaUrl(path: string, now: Date): Promise<string> {
  const until = (Math.floor(now.getTime() / 1000 / windowSeconds) + 2) * windowSeconds
  return `${path}?until=${until}&key=${await sign('media', [path, until])}`
}

/** @returns the seconds until the address expires; 0 if it is invalid or expired. */
async function mediaSecondsLeft(
  path: string,
  parameters: URLSearchParams,
  now: Date,
): Promise<number> {
  const [until, key] = [parameters.get('until') ?? '', parameters.get('key') ?? '']
  if (!/^\d{1,12}$/.test(until) || !(await isSigned('media', [path, Number(until)], key))) {
    return 0
  }

  return Math.max(0, Number(until) - Math.floor(now.getTime() / 1000))
}
