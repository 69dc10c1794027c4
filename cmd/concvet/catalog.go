package main

import (
	"slices"
	"strings"

	"github.com/concvet/concvet/analyzers"
	"github.com/concvet/concvet/docs"
	"github.com/concvet/concvet/internal/config"
	"github.com/concvet/concvet/internal/render"
)

// categories is a variable for the tests, which add one of their own.
var categories = docs.Categories

// catalog lists what can be selected: every analyzer, and every category that
// has a page.
func catalog() config.Catalog {
	var c config.Catalog
	for _, a := range analyzers.Suite {
		c.Analyzers = append(c.Analyzers, a.Name)
	}
	c.Categories = categories()
	for _, category := range c.Categories {
		if a, _, _ := strings.Cut(category, "/"); !slices.Contains(c.Analyzers, a) {
			c.Analyzers = append(c.Analyzers, a)
		}
	}
	return c
}

func rules() []render.Category {
	var list []render.Category
	for _, id := range categories() {
		page, _ := docs.Page(id)
		list = append(list, render.Category{ID: id, Summary: docs.Summary(id), Page: page})
	}
	return list
}
