import { ArrowUpRight } from 'lucide-react'
import { Link } from 'react-router'
import { MoreLink } from '~/ui/more-link'
import type { HomeCategory } from './home-queries.server'

/** A card links to its category, or to the whole catalog if there is no such category. */
export function CategoryCards({ categories }: { categories: HomeCategory[] }) {
  return (
    <section
      aria-labelledby="categories-title"
      className="column grid gap-10 pt-24 lg:grid-cols-[minmax(0,1fr)_minmax(0,2fr)] lg:gap-16 lg:pt-32"
    >
      <div className="lg:sticky lg:top-28 lg:self-start">
        <p className="eyebrow">Categories</p>
        <h2 id="categories-title" className="title mt-3">
          Start with what makes you curious
        </h2>
        <p className="mt-4 max-w-md text-muted">
          From your first line of code to the light in a portrait: pick a field, then filter by
          level.
        </p>
        <MoreLink to="/AllCourses" className="mt-6">
          See all courses
        </MoreLink>
      </div>
      <ul className="grid grid-cols-2 gap-3 sm:gap-4">
        {categories.map((category) => (
          <li key={category.position} className="flex last:odd:col-span-2">
            <CategoryCard category={category} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function CategoryCard({
  category: { name, courses, catalogue, icon },
}: {
  category: HomeCategory
}) {
  return (
    <Link
      to={catalogue ? `/AllCourses?category=${catalogue}` : '/AllCourses'}
      className="card group flex flex-1 flex-col items-start gap-4 p-4 transition-[border-color] duration-150 ease-settle hover:border-accent sm:flex-row sm:items-center sm:p-5"
    >
      <span className="grid size-12 shrink-0 place-items-center rounded-control bg-sunken text-ink duration-150 group-hover:transition-colors group-hover:bg-accent-soft group-hover:text-accent">
        <CategoryIcon html={icon} />
      </span>
      <span className="min-w-0 sm:flex-1">
        <span className="block font-semibold leading-snug">{name}</span>
        <span className="block text-muted text-sm">{courses}</span>
      </span>
      <ArrowUpRight
        aria-hidden="true"
        size={20}
        className="hidden text-muted duration-150 group-hover:transition-colors group-hover:text-accent sm:block"
      />
    </Link>
  )
}

/** An icon that `category-icon.server.ts` drew; decorative. */
function CategoryIcon({ html }: { html: string }) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: the server drew it from lucide's own shapes.
  return <span dangerouslySetInnerHTML={{ __html: html }} />
}
