import * as z from 'zod'
import { line } from '../content/content-fields'
import type { SettingName } from '../operations/settings/settings-schema.server'

const color = z.string().regex(/^#[0-9a-f]{6}$/)
/** Of this site, or of another. */
const address = z
  .string()
  .max(300)
  .regex(/^(#|\/(?!\/)\S*|https?:\/\/\S+|mailto:\S+@\S+)$/i)

export const footerLimits = { columns: 3, links: 8 } as const

const name = line(60).regex(/^[^<>]*$/, 'Leave out < and >.')
const link = z.object({ label: line(60), to: address })
const footerColumn = z.object({
  title: line(40),
  links: z
    .array(link)
    .max(footerLimits.links)
    .refine((links) => areDifferent(links.map(({ label }) => label))),
})

/** Learnify's own, those of the school, or none. */
const homeChoice = z.enum(['own', 'real', 'off'])

const areDifferent = (texts: readonly string[]) => new Set(texts).size === texts.length

/** Names of `site_pictures`. */
const pictureName = z.string().regex(/^[a-z]+-[0-9a-f]{16}\.(png|jpg)$/)
const logo = z.object({ logo: pictureName, width: z.int().positive(), height: z.int().positive() })

/** What an owner can set at the desk, each with the values that it may have. */
export const siteParts = {
  name,
  description: line(200),
  accent: z.object({ light: color, dark: color }),
  logo,
  logoDark: logo,
  /** `touch` is for the home screens of phones. */
  icon: z.object({ icon: pictureName, touch: pictureName }),
  sharePicture: z.object({ share: pictureName }),
  seller: z.object({
    name: line(120),
    address: z.string().trim().max(500),
    taxId: z.string().trim().max(60),
  }),
  currency: z.string().refine((code) => Intl.supportedValuesOf('currency').includes(code)),
  sender: z.object({
    name: line(80).regex(/^[^<>"]*$/),
    address: z.email().max(254),
  }),
  home: z.object({ numbers: homeChoice, testimonials: homeChoice }),
  footer: z
    .array(footerColumn)
    .max(footerLimits.columns)
    .refine((columns) => areDifferent(columns.map(({ title }) => title))),
} satisfies Record<string, z.ZodType>

/** A page in Markdown: terms, privacy, or a further one below `/Pages`. */
export const longestText = 100_000
const sitePage = z.object({ title: line(80), text: z.string().trim().min(1).max(longestText), inFooter: z.boolean() })
export type SitePage = z.output<typeof sitePage>

const pagePart = /^page-([a-z0-9]+(?:-[a-z0-9]+)*)$/
export const longestSlug = 40
export const mostPages = 50

/** Like 'imprint'. @returns null for a part that is no page. */
export function slugOf(part: string): string | null {
  const [, slug = ''] = pagePart.exec(part) ?? []
  return slug && slug.length <= longestSlug ? slug : null
}

export type SitePart = keyof typeof siteParts
export type SiteValues = { [Part in SitePart]: z.output<(typeof siteParts)[Part]> }

/** What the operator may have set instead; then an owner can't change it. */
export const settingsOfParts = {
  seller: ['SELLER_NAME', 'SELLER_ADDRESS', 'SELLER_TAX_ID'],
  currency: ['CURRENCY'],
  sender: ['MAIL_FROM'],
} as const satisfies Partial<Record<SitePart, readonly SettingName[]>>

/** Their values name `site_pictures`. */
export const pictureParts: readonly string[] = ['logo', 'logoDark', 'icon', 'sharePicture'] satisfies SitePart[]

export const isSitePart = (part: string): part is SitePart => Object.hasOwn(siteParts, part)

/** @returns null for a value that the part may not have. */
export function readValue(part: string, value: unknown): unknown {
  const schema = isSitePart(part) ? siteParts[part] : slugOf(part) ? sitePage : null
  return schema?.safeParse(value).data ?? null
}
