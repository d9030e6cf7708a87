import { eq } from 'drizzle-orm'
import type { Context, MiddlewareHandler } from 'hono'
import shippedManifest from '../../../public/site.webmanifest?raw'
import { db } from '../database/client.server'
import { sitePictures } from '../database/schema'
import { type Accent, accentStyle } from './accent'
import { currentSite, siteAccent, siteName } from './site.server'

/**
 * Increase it when the same colors give another style sheet, because browsers cache the files for
 * good.
 */
const styleVersion = 1

/** Contains the colors, so that any process can answer the request of any page. */
export const styleAddress = ({ light, dark }: Accent) =>
  `/brand/accent-${styleVersion}${light}${dark}.css`.replaceAll('#', '-')

const styleName = /^accent-\d+-([0-9a-f]{6})-([0-9a-f]{6})\.css$/

export const pictureAddress = (name: string) => `/brand/${name}`

const pictureName = /^[a-z]+-[0-9a-f]{16}\.(png|jpg)$/

/** Answers `/brand/:name`. */
export const sendBrandFile: MiddlewareHandler = async (context, next) => {
  const name = context.req.param('name') ?? ''
  const [, ending] = pictureName.exec(name) ?? []
  if (ending) {
    return (await sendPicture(context, name, ending)) ?? next()
  }

  const [, light, dark] = styleName.exec(name) ?? []
  if (!light || !dark) {
    return next()
  }

  const style = accentStyle({ light: `#${light}`, dark: `#${dark}` })

  return context.body(style, 200, {
    'Content-Type': 'text/css; charset=utf-8',
    'Cache-Control': forGood,
  })
}

async function sendPicture(
  context: Context,
  name: string,
  ending: string,
): Promise<Response | null> {
  const [picture] = await db.select().from(sitePictures).where(eq(sitePictures.name, name))
  if (!picture) {
    return null
  }

  const type = ending === 'jpg' ? 'image/jpeg' : 'image/png'

  return context.body(new Uint8Array(picture.bytes), 200, {
    'Content-Type': type,
    'Cache-Control': forGood,
  })
}

/**
 * Answers `/site.webmanifest` once an owner has changed a value in it. Until then, the file in
 * `public/` is sent.
 */
export const sendManifest: MiddlewareHandler = async (context, next) => {
  const { name, description, accent, icon } = currentSite()
  if (!name && !description && !accent && !icon) {
    return next()
  }

  const manifest = {
    ...JSON.parse(shippedManifest),
    name: siteName(),
    short_name: siteName(),
    ...(description && { description }),
    theme_color: siteAccent().light,
    ...(icon && {
      icons: [{ src: pictureAddress(icon.icon), sizes: '512x512', type: 'image/png' }],
    }),
  }
  const headers = {
    'Content-Type': 'application/manifest+json',
    'Cache-Control': 'public, max-age=60',
  }

  return context.body(JSON.stringify(manifest), 200, headers)
}

const forGood = 'public, max-age=31536000, immutable'
