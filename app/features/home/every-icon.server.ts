import type { IconShapes } from './category-icon'

type IconModule = { default: unknown; __iconNode?: IconShapes }

const modules = import.meta.glob<IconModule>('/node_modules/lucide-react/dist/esm/icons/*.mjs', { eager: true })

/** An icon of lucide in the server's bundle: the package itself has 40 MB, most of it source maps. */
export function shapesOfIcon(name: string): IconShapes | undefined {
  const icon = modules[`/node_modules/lucide-react/dist/esm/icons/${name}.mjs`]
  if (!icon || icon.__iconNode) return icon?.__iconNode
  // An earlier name of an icon leads to its component only.
  return Object.values(modules).find((one) => one.__iconNode && one.default === icon.default)?.__iconNode
}
