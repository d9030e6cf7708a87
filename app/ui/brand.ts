import { createContext, useContext } from 'react'
import { shippedName } from './site-name'

export type FooterColumn = {
  title: string
  links: readonly (readonly [label: string, to: string])[]
}

/** A wide logo replaces the name. */
type Picture = { address: string; width: number; height: number; isWide: boolean }

/**
 * The school's look, for every page. Values that the owner hasn't set are omitted, and Learnify's
 * own are shown.
 */
export type Brand = {
  name: string
  description?: string
  /** The address of the style sheet with the accent color. */
  style?: string
  logo?: Picture
  /** The logo for the dark theme, if it differs. */
  logoDark?: Picture
  /** Addresses of pictures. */
  icon?: string
  touchIcon?: string
  sharePicture?: string
  footer?: readonly FooterColumn[]
}

export const shippedBrand: Brand = { name: shippedName }

export const BrandContext = createContext(shippedBrand)

export const useBrand = () => useContext(BrandContext)
