/** The fields of the texts of Home: the first section, 'How it works', categories, testimonials. */
import type { ReactNode } from 'react'
import { Field, SelectField, TextAreaField } from '~/ui/form/field'
import { useSubmittedValues } from '../desk-context'
import type { HomeTextForms } from './home-text-forms.server'

const resetHint = 'If every field is empty, Home shows Learnify’s own texts again.'

export function HeroFields({ hero }: Pick<HomeTextForms, 'hero'>) {
  return (
    <>
      <p className="text-muted">{resetHint}</p>
      <TextRow part="hero" name="title" label="Headline" value={hero.title} maxLength={120} />
      <LongTextRow part="hero" name="text" label="Text" value={hero.text} maxLength={300} />
    </>
  )
}

export function FeatureFields({ features }: Pick<HomeTextForms, 'features'>) {
  return (
    <>
      <p className="text-muted">{`A card without a title and a text is left out. ${resetHint}`}</p>
      <TextRow
        part="features"
        name="title"
        label="Headline"
        value={features.title}
        maxLength={80}
      />
      {listIndexes(features.cards.length).map((row) => (
        <RowFieldset key={row} legend={`Card ${row + 1}`}>
          <TextRow
            part="features"
            name={`title-${row}`}
            label="Title"
            value={features.cards[row]?.title}
            maxLength={60}
          />
          <LongTextRow
            part="features"
            name={`text-${row}`}
            label="Text"
            value={features.cards[row]?.text}
            maxLength={300}
          />
        </RowFieldset>
      ))}
    </>
  )
}

/** Icons for fields of learning, by their names in Lucide. */
const iconLabels: Readonly<Record<string, string>> = {
  'book-open': 'Book',
  briefcase: 'Briefcase',
  calculator: 'Calculator',
  camera: 'Camera',
  'chef-hat': 'Chef’s hat',
  code: 'Code',
  dumbbell: 'Dumbbell',
  'flask-conical': 'Flask',
  gamepad: 'Game controller',
  globe: 'Globe',
  hammer: 'Hammer',
  'heart-pulse': 'Heart',
  languages: 'Languages',
  leaf: 'Leaf',
  lightbulb: 'Light bulb',
  megaphone: 'Megaphone',
  music: 'Music',
  palette: 'Palette',
  'pen-tool': 'Pen',
  scale: 'Scales',
  sprout: 'Sprout',
  stethoscope: 'Stethoscope',
  video: 'Video',
}

type CategoryCardFieldsProps = Pick<HomeTextForms, 'categoryCards' | 'categoryOptions' | 'limits'>

export function CategoryCardFields({
  categoryCards,
  categoryOptions,
  limits,
}: CategoryCardFieldsProps) {
  const part = 'categoryCards'

  return (
    <>
      <p className="text-muted">
        {`A card without a name is left out. Cards show how many courses they lead to. ${resetHint}`}
      </p>
      <TextRow
        part={part}
        name="title"
        label="Headline"
        value={categoryCards.title}
        maxLength={80}
      />
      <LongTextRow
        part={part}
        name="text"
        label="Text"
        value={categoryCards.text}
        maxLength={300}
      />
      {listIndexes(limits.categoryCards).map((row) => {
        const card = categoryCards.cards[row]
        return (
          <RowFieldset key={row} legend={`Card ${row + 1}`}>
            <TextRow
              part={part}
              name={`name-${row}`}
              label="Name"
              value={card?.name}
              maxLength={40}
            />
            <div className="grid gap-4 sm:grid-cols-2">
              <ChoiceRow
                part={part}
                name={`category-${row}`}
                label="Leads to"
                value={card?.category ?? ''}
                options={listCategoryOptions(categoryOptions, card?.category)}
              />
              <ChoiceRow
                part={part}
                name={`icon-${row}`}
                label="Icon"
                value={card?.icon ?? 'book-open'}
                options={listIconOptions(card?.icon)}
              />
            </div>
          </RowFieldset>
        )
      })}
    </>
  )
}

type Option = readonly [value: string, label: string]

/**
 * Lists the categories to choose from. A category of the card that no longer exists is listed, too,
 * because the browser would choose all courses otherwise. The server refuses it.
 */
function listCategoryOptions(
  categoryOptions: HomeTextForms['categoryOptions'],
  currentId: string | null | undefined,
): Option[] {
  const options = categoryOptions.map(({ id, name }): Option => [id, name])
  const isListed = !currentId || categoryOptions.some(({ id }) => id === currentId)
  const removedOptions: Option[] = isListed ? [] : [[currentId, `${currentId} (no longer exists)`]]

  return [['', 'All courses'], ...options, ...removedOptions]
}

/** Lists the icons to choose from, with the icon of the card even if it is none of them. */
function listIconOptions(currentIcon: string | undefined): Option[] {
  const options = Object.entries(iconLabels)
  const isListed = currentIcon === undefined || Object.hasOwn(iconLabels, currentIcon)
  return isListed ? options : [[currentIcon, currentIcon], ...options]
}

type TestimonialFieldsProps = Pick<HomeTextForms, 'testimonials' | 'limits'>

export function TestimonialFields({ testimonials, limits }: TestimonialFieldsProps) {
  const part = 'testimonials'

  return (
    <>
      <p className="text-muted">
        {`Only publish what a person has said and agreed to. Empty rows are left out. ${resetHint}`}
      </p>
      {listIndexes(limits.testimonials).map((row) => {
        const testimonial = testimonials[row]
        return (
          <RowFieldset key={row} legend={`Testimonial ${row + 1}`}>
            <LongTextRow
              part={part}
              name={`text-${row}`}
              label="Text"
              value={testimonial?.text}
              maxLength={600}
            />
            <div className="grid gap-4 sm:grid-cols-3">
              <TextRow
                part={part}
                name={`name-${row}`}
                label="Name"
                value={testimonial?.name}
                maxLength={80}
              />
              <TextRow
                part={part}
                name={`role-${row}`}
                label="Role"
                value={testimonial?.role}
                maxLength={80}
              />
              <ChoiceRow
                part={part}
                name={`rating-${row}`}
                label="Stars"
                value={String(testimonial?.rating ?? 5)}
                options={['5', '4', '3', '2', '1'].map((stars) => [stars, stars])}
              />
            </div>
          </RowFieldset>
        )
      })}
    </>
  )
}

type RowProps = {
  /** The name of the part and of the action that changes it. */
  part: string
  name: string
  label: string
}

type TextRowProps = RowProps & { value: string | undefined; maxLength: number }

function TextRow({ part, name, value, ...field }: TextRowProps) {
  const submittedValues = useSubmittedValues(part)
  return (
    <Field
      {...field}
      name={name}
      defaultValue={submittedValues?.[name] ?? value}
      autoComplete="off"
    />
  )
}

function LongTextRow({ part, name, value, ...field }: TextRowProps) {
  const submittedValues = useSubmittedValues(part)
  return (
    <TextAreaField
      {...field}
      name={name}
      defaultValue={submittedValues?.[name] ?? value}
      className="[&_textarea]:min-h-20"
    />
  )
}

type ChoiceRowProps = RowProps & {
  value: string
  options: readonly Option[]
}

function ChoiceRow({ part, name, value, options, ...field }: ChoiceRowProps) {
  const submittedValues = useSubmittedValues(part)
  return (
    <SelectField {...field} name={name} defaultValue={submittedValues?.[name] ?? value}>
      {options.map(([optionValue, label]) => (
        <option key={optionValue} value={optionValue}>
          {label}
        </option>
      ))}
    </SelectField>
  )
}

type RowFieldsetProps = { legend: string; children: ReactNode }

function RowFieldset({ legend, children }: RowFieldsetProps) {
  return (
    <fieldset className="grid min-w-0 gap-3">
      <legend className="mb-2 font-medium">{legend}</legend>
      {children}
    </fieldset>
  )
}

/** Lists the numbers from 0 to `count - 1`. */
function listIndexes(count: number): number[] {
  return [...Array(count).keys()]
}
