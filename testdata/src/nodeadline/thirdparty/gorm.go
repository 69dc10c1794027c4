package thirdparty

import (
	"context"
	"net/http"
	"time"

	"gorm.io/gorm"
)

type account struct{ ID int }

// A session that is kept carries no context.
type accounts struct{ db *gorm.DB }

func newAccounts(db *gorm.DB) *accounts { return &accounts{db: db} }

func (a *accounts) active() *gorm.DB { return a.db.Model(&account{}).Where("deleted_at IS NULL") }

func (a *accounts) byIDBad(id string) (found account, err error) {
	err = a.active().Where("id = ?", id).First(&found).Error // want `\(\*gorm\.DB\)\.First has no context.*sql`
	return found, err
}

func (a *accounts) byIDOk(ctx context.Context, id string) (found account, err error) {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	err = a.active().WithContext(ctx).First(&found, id).Error
	return found, err
}

// The context comes from the caller, who is not seen.
func (a *accounts) scopedOk(ctx context.Context, id string) (found account, err error) {
	err = a.db.WithContext(ctx).Where("id = ?", id).First(&found).Error
	return found, err
}

func (a *accounts) endlessBad(r *http.Request) error {
	return a.db.WithContext(context.Background()).Delete(&account{}, r.FormValue("id")).Error // want `sql`
}

// In a session the context is a field of its options.
func (a *accounts) sessionOk(ctx context.Context) (n int64, err error) {
	err = a.db.Session(&gorm.Session{Context: ctx}).Model(&account{}).Count(&n).Error
	return n, err
}

func (a *accounts) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if _, err := a.byIDBad(r.FormValue("id")); err != nil {
		http.Error(w, "database", http.StatusInternalServerError)
	}
	if _, err := a.byIDOk(r.Context(), r.FormValue("id")); err != nil {
		http.Error(w, "database", http.StatusInternalServerError)
	}
}

// The session comes from the caller.
func find(db *gorm.DB, id string) (found account, err error) {
	err = db.First(&found, id).Error
	return found, err
}

func (a *accounts) helperBad(r *http.Request) error {
	_, err := find(a.db, r.FormValue("id")) // want `\(\*gorm\.DB\)\.First via find has no context.*sql`
	return err
}

func (a *accounts) helperOk(r *http.Request) error {
	_, err := find(a.db.WithContext(r.Context()), r.FormValue("id"))
	return err
}

// One that is given a context when it is made, and lives as long as a request.
type scoped struct{ db *gorm.DB }

func newScoped(ctx context.Context, db *gorm.DB) *scoped { return &scoped{db: db.WithContext(ctx)} }

func (s *scoped) countOk(r *http.Request) (n int64, err error) {
	err = s.db.Model(&account{}).Count(&n).Error
	return n, err
}

// Who runs in the background has no context to give: that is for an audit.
func (a *accounts) pruneOk() error {
	return a.db.Where("expired").Delete(&account{}).Error
}

// A transaction has the context of its session.
func (a *accounts) moveBad(r *http.Request) error {
	tx := a.db.Begin()                                     // want `sql`
	if err := tx.Save(&account{ID: 1}).Error; err != nil { // want `sql`
		tx.Rollback()
		return err
	}
	return tx.Commit().Error
}
