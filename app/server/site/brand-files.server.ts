import { eq } from 'drizzle-orm'
import type { Context, MiddlewareHandler } from 'hono'
import shippedManifest from '../../../public/site.webmanifest?raw'
import { type Database, db } from '../database/client.server'
import { sitePictures } from '../database/schema'
import { type Accent, renderAccentStyle } from './accent'
import { currentSite, siteAccent, siteName } from './site.server'

/**
 * The version of the style sheet, which is a part of its URL. Browsers cache the style sheet
 * forever, so the version has to be increased when the same colors give another style sheet.
 */
const styleVersion = 1

/**
 * Returns the URL of the style sheet with the school's colors. The URL contains the colors, so that
 * any process can respond to a request of any page.
 */
export function accentStyleUrl({ light, dark }: Accent): string {
  return `/brand/accent-${styleVersion}${light}${dark}.css`.replaceAll('#', '-')
}

const styleName = /^accent-\d+-([0-9a-f]{6})-([0-9a-f]{6})\.css$/

export function brandPictureUrl(name: string): string {
  return `/brand/${name}`
}

const pictureName = /^[a-z]+-[0-9a-f]{16}\.(png|jpg)$/

const cacheForever = 'public, max-age=31536000, immutable'

/** Responds to `/brand/:name`. */
export const sendBrandFile: MiddlewareHandler = async (context, next) => {
  const name = context.req.param('name') ?? ''
  const [, extension] = pictureName.exec(name) ?? []
  if (extension) {
    return (await sendPicture(context, name, extension)) ?? next()
  }

  const [, light, dark] = styleName.exec(name) ?? []
  if (!light || !dark) {
    return next()
  }

  const style = renderAccentStyle({ light: `#${light}`, dark: `#${dark}` })

  return context.body(style, 200, {
    'Content-Type': 'text/css; charset=utf-8',
    'Cache-Control': cacheForever,
  })
}

async function sendPicture(
  context: Context,
  name: string,
  extension: string,
): Promise<Response | null> {
  const [picture] = await db.select().from(sitePictures).where(eq(sitePictures.name, name))
  if (!picture) {
    return null
  }

  return context.body(new Uint8Array(picture.bytes), 200, {
    'Content-Type': extension === 'jpg' ? 'image/jpeg' : 'image/png',
    'Cache-Control': cacheForever,
  })
}

/**
 * Responds to `/site.webmanifest` once an owner has changed a value in it. Until then, the file in
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
      icons: [{ src: brandPictureUrl(icon.icon), sizes: '512x512', type: 'image/png' }],
    }),
  }

  return context.body(JSON.stringify(manifest), 200, {
    'Content-Type': 'application/manifest+json',
    'Cache-Control': 'public, max-age=60',
  })
}

export type SiteLogo = { bytes: Buffer; width: number; height: number; isWide: boolean }

/** Returns the school's logo for a background, or null if the school has none. */
export async function findSiteLogo(
  db: Database,
  background: 'light' | 'dark' = 'light',
): Promise<SiteLogo | null> {
  const site = currentSite()
  if (!site.logo) {
    return null
  }

  const darkLogo = background === 'dark' ? site.logoDark : null
  const { logo, width, height } = darkLogo ?? site.logo
  const [picture] = await db.select().from(sitePictures).where(eq(sitePictures.name, logo))
  if (!picture) {
    return null
  }

  return { bytes: picture.bytes, width, height, isWide: isWideLogo({ width, height }) }
}

/** Returns whether a logo replaces the school's name. Other logos stand beside the name. */
export function isWideLogo({ width, height }: { width: number; height: number }): boolean {
  return width > height * 1.5
}
