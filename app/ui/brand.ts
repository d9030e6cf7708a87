import { createContext, useContext } from 'react'
import { shippedName } from './site-name'

export type FooterColumn = {
  title: string
  links: readonly (readonly [label: string, to: string])[]
}

type BrandLogo = {
  url: string
  width: number
  height: number
  /** A wide logo replaces the school's name. */
  isWide: boolean
}

/**
 * The school's name, colors, pictures and footer. Values that the owner hasn't set are omitted, and
 * pages use Learnify's own values instead.
 */
export type Brand = {
  name: string
  description?: string
  /** The URL of the style sheet with the accent color. */
  style?: string
  logo?: BrandLogo
  /** The logo for the dark theme, if it differs. */
  logoDark?: BrandLogo
  /** The URLs of pictures. */
  icon?: string
  touchIcon?: string
  sharePicture?: string
  footer?: readonly FooterColumn[]
}

export const shippedBrand: Brand = { name: shippedName }

export const BrandContext = createContext(shippedBrand)

export const useBrand = () => useContext(BrandContext)
