import { useRef } from 'react'
import { Form } from 'react-router'
import { Button } from '~/ui/button'
import { SelectField } from '~/ui/form/field'
import type { CatalogQuery, CatalogResult, FacetOption } from '../search/catalog-query'
import { SearchBox } from '../search/search-box'
import { formatCourseCount } from './catalog-messages'
import { useFilterForm } from './use-filter-form'

/** The ID of the form. Controls elsewhere on the page belong to the form by this ID. */
export const catalogFormId = 'catalog-form'

type FilterFormProps = {
  query: CatalogQuery
  facets: CatalogResult['facets']
  isPending: boolean
}

/**
 * The form with the search field, the category and the level. With a script, the results follow
 * each change. Without one, the form is submitted by its button.
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
          {/* The value is the searched text, because these options apply to this text only. */}
          {query.exact && <input type="hidden" name="exact" value={query.q} />}
          {query.mentions && <input type="hidden" name="mentions" value={query.q} />}
          <Button type="submit" className="w-full">
            Search
          </Button>
        </noscript>
      </Form>
    </search>
  )
}

/**
 * The options of a select. CSS displays their counts in browsers that can style options, so that
 * the text of an option is only its name.
 */
function CountedOptions({ options }: { options: FacetOption[] }) {
  return options.map(({ value, name = value, count, isPartial }) => (
    <option key={value} value={value} data-count={formatCourseCount(count, { isPartial })}>
      {name}
    </option>
  ))
}
