import { ChevronDown } from 'lucide-react'
import { useRef } from 'react'
import { Form } from 'react-router'
import { Button } from '~/ui/button'
import { SelectField } from '~/ui/form/field'
import {
  type CatalogQuery,
  type CatalogResult,
  catalogUrl,
  changeQuery,
  emptyCatalogQuery,
  type FacetOption,
} from '../search/catalog-query'
import { type Sort, sortNames } from '../search/facets'
import { SearchBox } from '../search/search-box'
import { formatCourseCount } from './catalog-messages'
import { catalogFormId, sortField } from './chosen-filters'
import { useFilterForm } from './use-filter-form'

type FilterFormProps = {
  query: CatalogQuery
  facets: CatalogResult['facets']
  isPending: boolean
}

/**
 * The form with the search field, the category and the level. With a script, the results follow each
 * change. Without one, the form is submitted by its button.
 */
export function FilterForm({ query, facets, isPending }: FilterFormProps) {
  const form = useRef<HTMLFormElement>(null)
  const { handleTyping, handleChoice, handleBlur } = useFilterForm(form, query)

  return (
    <search>
      <Form
        ref={form}
        id={catalogFormId}
        action="/AllCourses"
        autoComplete="off"
        onSubmit={(event) => {
          event.preventDefault()
          handleChoice()
        }}
        className="mt-4 grid grid-cols-2 gap-x-3 gap-y-3 max-sm:[&_label]:sr-only md:mt-8 max-[22rem]:grid-cols-1 lg:grid-cols-[2fr_1fr_1fr] lg:gap-x-4"
      >
        <div className="min-[22rem]:max-lg:col-span-2">
          <label htmlFor="q" className="mb-1.5 block font-medium">
            Search courses
          </label>
          <SearchBox
            id="q"
            initialText={query.q}
            isPending={isPending}
            placeholder="Title, topic or instructor"
            onInput={handleTyping}
            onBlur={handleBlur}
          />
        </div>
        <SelectField
          id="category"
          name="category"
          label="Category"
          data-counted=""
          defaultValue={query.category}
        >
          <CountedOptions options={facets.category} />
        </SelectField>
        <SelectField
          id="level"
          name="level"
          label="Level"
          data-counted=""
          defaultValue={query.level}
        >
          <CountedOptions options={facets.level} />
        </SelectField>
        <noscript>
          {/* The value is the searched text, so that these options end with another text. */}
          {(['exact', 'mentions'] as const).map(
            (name) => query[name] && <input key={name} type="hidden" name={name} value={query.q} />,
          )}
          <Button type="submit" className="w-full">
            Search
          </Button>
        </noscript>
      </Form>
    </search>
  )
}

/**
 * The options of a select. CSS displays their counts in browsers that can style options, so that the
 * text of an option is only its name.
 */
function CountedOptions({ options }: { options: FacetOption[] }) {
  return options.map(({ value, name = value, count, orMore }) => (
    <option key={value} value={value} data-count={formatCourseCount(count, { orMore })}>
      {name}
    </option>
  ))
}

const sorts = Object.keys(sortNames) as Sort[]

/**
 * The order of the list, as a select or, without a script, as links. The default order has no name in
 * the form, so that the URL of the submitted form stays short.
 */
export function SortField({ query }: { query: CatalogQuery }) {
  return (
    <>
      <div className="relative min-w-0 max-sm:flex-1 [@media(scripting:none)]:hidden">
        <label htmlFor={sortField} className="sr-only">
          Sort by
        </label>
        <select
          id={sortField}
          name={query.sort === emptyCatalogQuery.sort ? undefined : sortField}
          form={catalogFormId}
          defaultValue={query.sort}
          className="block min-h-11 w-full appearance-none truncate rounded-control border border-edge bg-surface py-2 pr-9 pl-3.5 font-medium text-ink"
        >
          {Object.entries(sortNames).map(([value, name]) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </select>
        <ChevronDown
          aria-hidden="true"
          size={18}
          className="pointer-events-none absolute top-1/2 right-3 -translate-y-1/2 text-muted"
        />
      </div>
      <noscript>
        <nav aria-label="Sort by" className="flex flex-wrap items-center gap-x-4">
          {sorts.map((sort) => (
            <a key={sort} href={catalogUrl(changeQuery(query, { sort }))} className="link">
              {sortNames[sort]}
            </a>
          ))}
        </nav>
      </noscript>
    </>
  )
}
