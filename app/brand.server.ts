import { styleAddress } from './server/site/brand-files.server'
import { currentSite, siteName } from './server/site/site.server'
import type { Brand } from './ui/brand'

/** What every page gets of what owners have set at the desk. */
export function currentBrand(): Brand {
  const { description, accent, footer } = currentSite()
  return {
    name: siteName(),
    ...(description && { description }),
    ...(accent && { style: styleAddress(accent) }),
    ...(footer && {
      footer: footer.map(({ title, links }) => ({ title, links: links.map(({ label, to }) => [label, to]) })),
    }),
  }
}
