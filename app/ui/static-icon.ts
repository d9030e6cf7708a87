import { createElement, type SVGProps } from 'react'

type IconNode = readonly (readonly [tag: string, attributes: Record<string, string>])[]
type IconProps = Omit<SVGProps<SVGSVGElement>, 'children'> & { size?: number | string }

/**
 * What `vite.config.ts` puts into a build instead of lucide's own: the same picture, but as one element with ready markup.
 * A catalogue page has a hundred icons, which otherwise are a fifth of its elements and are put together each time.
 */
export default function createLucideIcon(_name: string, node: IconNode) {
  const shapes = node.map(([tag, { key: _, ...attributes }]) => {
    const written = Object.entries(attributes).map(([name, value]) => ` ${name}="${value}"`)
    return `<${tag}${written.join('')}/>`
  })
  const markup = { __html: shapes.join('') }
  return function icon({ size = 24, ...props }: IconProps) {
    return createElement('svg', {
      width: size,
      height: size,
      viewBox: '0 0 24 24',
      fill: 'none',
      stroke: 'currentColor',
      strokeWidth: 2,
      strokeLinecap: 'round',
      strokeLinejoin: 'round',
      'aria-hidden': isNamed(props) ? undefined : 'true',
      ...props,
      dangerouslySetInnerHTML: markup,
    })
  }
}

function isNamed(props: IconProps): boolean {
  for (const name in props) if (name.startsWith('aria-') || name === 'role' || name === 'title') return true
  return false
}
