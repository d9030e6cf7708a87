import type { MiddlewareHandler } from 'hono'
import shippedManifest from '../../../public/site.webmanifest?raw'
import { type Accent, accentStyle } from './accent'
import { currentSite, siteAccent, siteName } from './site.server'

/** Grows when the same colors give another style sheet: browsers keep these files for good. */
const styleVersion = 1

/** The address has the colors, so that any process answers for any page. */
export const styleAddress = ({ light, dark }: Accent) =>
  `/brand/accent-${styleVersion}${light}${dark}.css`.replaceAll('#', '-')

const styleName = /^accent-\d+-([0-9a-f]{6})-([0-9a-f]{6})\.css$/

/** Answers `/brand/:name`. */
export const sendBrandFile: MiddlewareHandler = async (context, next) => {
  const [, light, dark] = styleName.exec(context.req.param('name') ?? '') ?? []
  if (!light || !dark) return next()
  const style = accentStyle({ light: `#${light}`, dark: `#${dark}` })
  return context.body(style, 200, { 'Content-Type': 'text/css; charset=utf-8', 'Cache-Control': forGood })
}

/** Answers `/site.webmanifest` once an owner has set something that it names; else the file in `public/` is sent. */
export const sendManifest: MiddlewareHandler = async (context, next) => {
  const { name, description, accent } = currentSite()
  if (!name && !description && !accent) return next()
  const manifest = {
    ...JSON.parse(shippedManifest),
    name: siteName(),
    short_name: siteName(),
    ...(description && { description }),
    theme_color: siteAccent().light,
  }
  const headers = { 'Content-Type': 'application/manifest+json', 'Cache-Control': 'public, max-age=60' }
  return context.body(JSON.stringify(manifest), 200, headers)
}

const forGood = 'public, max-age=31536000, immutable'
