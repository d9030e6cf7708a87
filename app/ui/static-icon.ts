import { createElement, type SVGProps } from 'react'

type IconNode = readonly (readonly [tag: string, attributes: Record<string, string>])[]
type IconProps = Omit<SVGProps<SVGSVGElement>, 'children'> & { size?: number | string }

/**
 * What `vite.config.ts` puts into a build instead of lucide's own: the same picture, but as one element with ready markup,
 * whose usual look is in `theme.css`. A catalogue page has fifty icons, which otherwise are a fifth of its elements and most
 * of its attributes.
 */
export default function createLucideIcon(_name: string, node: IconNode) {
  const shapes = node.map(([tag, { key: _, ...attributes }]) => {
    const written = Object.entries(attributes).map(([name, value]) => ` ${name}="${value}"`)
    return `<${tag}${written.join('')}/>`
  })
  const ready = { __html: shapes.join('') }
  return function icon({ size = 24, fill, strokeWidth, ...props }: IconProps) {
    const isUsual = fill === undefined && strokeWidth === undefined
    return createElement('svg', {
      width: size,
      height: size,
      viewBox: '0 0 24 24',
      'aria-hidden': isNamed(props) ? undefined : 'true',
      ...(isUsual ? usualLook : lookOf(fill, strokeWidth)),
      ...props,
      dangerouslySetInnerHTML: ready,
    })
  }
}

const usualLook = { 'data-icon': '' }

function lookOf(fill = 'none', strokeWidth: string | number = 2) {
  return { fill, stroke: 'currentColor', strokeWidth, strokeLinecap: 'round', strokeLinejoin: 'round' }
}

function isNamed(props: IconProps): boolean {
  for (const name in props) if (name.startsWith('aria-') || name === 'role' || name === 'title') return true
  return false
}
