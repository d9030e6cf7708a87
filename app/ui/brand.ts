import { createContext, useContext } from 'react'
import { shippedName } from './site-name'

export type FooterColumn = { title: string; links: readonly (readonly [label: string, to: string])[] }

/** A wide one stands instead of the name. */
type Picture = { address: string; width: number; height: number; isWide: boolean }

/** How the school looks, as every page needs it. What its owner has not set is left out, and Learnify's own is shown. */
export type Brand = {
  name: string
  description?: string
  /** The address of the style sheet with the accent color. */
  style?: string
  logo?: Picture
  /** The logo in the dark theme, if it is another. */
  logoDark?: Picture
  /** Addresses. */
  icon?: string
  touchIcon?: string
  sharePicture?: string
  footer?: readonly FooterColumn[]
}

export const shippedBrand: Brand = { name: shippedName }

export const BrandContext = createContext(shippedBrand)

export const useBrand = () => useContext(BrandContext)
