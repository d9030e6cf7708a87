import { useRef } from 'react'
import { Form } from 'react-router'
import { Button } from '~/ui/button'
import { SelectField } from '~/ui/field'
import type { CatalogueQuery } from '../search/catalog-query'
import type { CatalogueResult } from '../search/catalog-result'
import { SearchBox } from '../search/search-box'
import { catalogueForm } from './chosen-filters'
import { CountedOptions } from './counted-options'
import { useFilterForm } from './use-filter-form'

type FilterFormProps = {
  query: CatalogueQuery
  facets: CatalogueResult['facets']
  pending: boolean
}

/** Search, category and level. A plain GET form, whose results follow it as soon as a script runs. */
export function FilterForm({ query, facets, pending }: FilterFormProps) {
  const form = useRef<HTMLFormElement>(null)
  const { onType, onChoose, onLeave } = useFilterForm(form, query)
  return (
    <search>
      <Form
        ref={form}
        id={catalogueForm}
        action="/AllCourses"
        autoComplete="off"
        onSubmit={(event) => {
          event.preventDefault()
          onChoose()
        }}
        className="grid grid-cols-2 gap-x-3 gap-y-4 max-[22rem]:grid-cols-1 lg:grid-cols-[2fr_1fr_1fr] lg:gap-x-4"
      >
        <div className="min-[22rem]:max-lg:col-span-2">
          <label htmlFor="q" className="mb-1.5 block font-medium">
            Search courses
          </label>
          <SearchBox
            id="q"
            initial={query.q}
            pending={pending}
            placeholder="Title, topic or instructor"
            onInput={onType}
            onBlur={onLeave}
          />
        </div>
        <SelectField id="category" name="category" label="Category" data-counted="" defaultValue={query.category}>
          <CountedOptions group="category" options={facets.category} />
        </SelectField>
        <SelectField id="level" name="level" label="Level" data-counted="" defaultValue={query.level}>
          <CountedOptions group="level" options={facets.level} />
        </SelectField>
        <noscript>
          {/* For these words alone: others are corrected and widened anew. */}
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
