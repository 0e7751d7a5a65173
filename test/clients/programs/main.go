// Six calls with the clients of openapi-generator. Prints their results as JSON.
package main

import (
	"clients/metadata"
	"clients/query"
	"context"
	"encoding/json"
	"os"
)

var client *query.APIClient
var ctx = context.WithValue(context.Background(), query.ContextAPIKeys,
	map[string]query.APIKey{"token": {Key: os.Getenv("DATA_TOKEN")}})

func main() {
	configuration := query.NewConfiguration()
	configuration.Servers = query.ServerConfigurations{{URL: os.Getenv("QUERY_URL")}}
	client = query.NewAPIClient(configuration)
	ofMetadata := metadata.NewConfiguration()
	ofMetadata.Servers = metadata.ServerConfigurations{{URL: os.Getenv("METADATA_URL")}}
	bearer := context.WithValue(context.Background(), metadata.ContextAccessToken, os.Getenv("METADATA_TOKEN"))

	daily := request(query.AGGREGATE)
	daily.SetAggregation(query.DAILY)
	daily.SetSplits([]string{"isp", "floor"})
	raw := request(query.RAW)
	raw.SetSplits([]string{"tier"})
	report := request(query.AGGREGATE)
	report.SetAggregation(query.TOTAL)
	report.SetHousehold(*query.NewHousehold("mean"))
	report.SetRelativeTo(*query.NewRelativeTo("custom.advertised"))
	report.SetShares(*query.NewShares([]float32{80}))
	values, _, err := client.ListingsAPI.GetFilterValues(ctx, "isp").Execute()
	check(err)
	export, _, err := client.ExportsAPI.ExportMetricDataCsv(ctx).MetricQuery(*daily).Execute()
	check(err)
	agent, _, err := metadata.NewAPIClient(ofMetadata).MetadataAPI.GetMetadata(bearer, "agent", "a").Execute()
	check(err)
	check(json.NewEncoder(os.Stdout).Encode(map[string]any{
		"daily": rows(daily, func(p query.MetricPoint) []any {
			return []any{p.AdditionalProperties["isp"], p.AdditionalProperties["floor"], p.GetMetricValue(), p.GetPartial()}
		}),
		"raw": rows(raw, func(p query.MetricPoint) []any {
			return []any{p.GetAgent(), p.AdditionalProperties["tier"], p.GetMetricValue()}
		}),
		"report": rows(report, func(p query.MetricPoint) []any {
			return []any{p.GetMetricValue(), p.GetShares()["80"]}
		}),
		"values":   values.GetData(),
		"exported": export.Data.GetRows(),
		"metadata": []any{agent.Data.GetTimezone(), agent.Data.Custom["tier"], agent.Data.Custom["floor"]},
	}))
}

func request(chartType query.ChartType) *query.MetricQuery {
	request := query.NewMetricQuery("httpget", chartType, false, false)
	request.SetTime(*query.NewLocalRange(os.Getenv("FROM"), os.Getenv("TO")))
	return request
}

func rows(request *query.MetricQuery, row func(query.MetricPoint) []any) [][]any {
	response, _, err := client.DataAPI.PostMetricData(ctx).MetricQuery(*request).Execute()
	check(err)
	rows := [][]any{}
	for _, series := range response.GetData() {
		for _, point := range series.GetMetricData() {
			rows = append(rows, row(point))
		}
	}
	return rows
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
