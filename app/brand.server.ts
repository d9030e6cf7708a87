import { pictureAddress, styleAddress } from './server/site/brand-files.server'
import { currentSite, isWide, siteName } from './server/site/site.server'
import type { Brand } from './ui/brand'

const pictureOf = ({ logo, width, height }: { logo: string; width: number; height: number }) => ({
  address: pictureAddress(logo),
  width,
  height,
  isWide: isWide({ width, height }),
})

/** What every page gets of what owners have set at the desk. */
export function currentBrand(): Brand {
  const { description, accent, logo, logoDark, icon, sharePicture, footer } = currentSite()
  return {
    name: siteName(),
    ...(description && { description }),
    ...(accent && { style: styleAddress(accent) }),
    ...(logo && { logo: pictureOf(logo) }),
    ...(logo && logoDark && { logoDark: pictureOf(logoDark) }),
    ...(icon && { icon: pictureAddress(icon.icon), touchIcon: pictureAddress(icon.touch) }),
    ...(sharePicture && { sharePicture: pictureAddress(sharePicture.share) }),
    ...(footer && {
      footer: footer.map(({ title, links }) => ({ title, links: links.map(({ label, to }) => [label, to]) })),
    }),
  }
}
